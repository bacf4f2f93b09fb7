import { once } from 'node:events'
import type { Http2Server } from 'node:http2'
import type { AddressInfo } from 'node:net'

/** Has a server listen; on this machine only unless said otherwise. Throws what the system says against it. */
export async function listenAt(server: Http2Server, port: number, host = '127.0.0.1'): Promise<AddressInfo> {
  server.listen(port, host)
  await once(server, 'listening')
  return server.address() as AddressInfo
}
