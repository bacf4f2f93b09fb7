import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { flushFolder } from './private-file.ts'

/** Puts a file in the place of another, whole or not at all; only its owner can read it. */
export async function replacePrivateFile(file: string, text: string): Promise<void> {
  const beside = `${file}.${process.pid}.new`
  // What a process with this number left behind.
  await rm(beside, { force: true })
  const handle = await open(beside, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  } finally {
    await handle.close()
  }
  await rename(beside, file)
  await flushFolder(dirname(file))
}
