/** Ends the command when all is written: a tool that hangs, or a client that stays connected, must not keep it from that. */
export async function endProcess(code: number): Promise<never> {
  const flushed = (stream: NodeJS.WriteStream) => new Promise<void>((done) => stream.write('', () => done()))
  await Promise.all([process.stdout, process.stderr].map(flushed))
  process.exit(code)
}
