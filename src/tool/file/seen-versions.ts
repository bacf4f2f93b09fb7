const MOST = 10_000

/** Which version of each file the model has seen, by path: what it has not seen, it cannot replace. */
export class SeenVersions {
  private readonly versions = new Map<string, string>()

  get(path: string): string | undefined {
    return this.versions.get(path)
  }

  forget(path: string): void {
    this.versions.delete(path)
  }

  /** The oldest is forgotten when there are too many: then the file has to be read again. */
  set(path: string, version: string): void {
    this.versions.delete(path)
    this.versions.set(path, version)
    if (this.versions.size > MOST) this.versions.delete(this.versions.keys().next().value as string)
  }
}
