import { LegibleError } from '../core/legible-error.ts'

/** Loads a package that a program need not have. `install` is what npm is told, as in `ai@7`. */
export async function loadPackage<T>(install: string, load: () => Promise<T>, why: string): Promise<T> {
  try {
    return await load()
  } catch (error) {
    const name = install.slice(0, install.lastIndexOf('@'))
    const { code, message = '' } = error as { code?: string; message?: string }
    // The package itself, or something that it needs.
    const absent = code === 'ERR_MODULE_NOT_FOUND' && message.includes(`'${name}'`)
    const problem = absent ? 'is not installed' : `cannot be loaded (${message.split('\n', 1)[0]})`
    throw new LegibleError(
      'model.missing_package',
      `${why} needs the package ${name}, which ${problem}. Install it: npm install ${install}`,
      { cause: error },
    )
  }
}
