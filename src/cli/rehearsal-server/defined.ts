/** The members that have a value: an option that is left out is not the same as one that is undefined. */
export function defined<T extends object>(options: { [Key in keyof T]: T[Key] | undefined }): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T
}
