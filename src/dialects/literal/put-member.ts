/** Sets a member under a name that a model chose. */
export function putMember(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') target[key] = value
  else Object.defineProperty(target, key, { value, configurable: true, enumerable: true, writable: true })
}
