interface Details {
  /** The field of the request that is wrong, as a path. */
  readonly param?: string
  /** What programs tell errors apart by, where OpenAI has a word for it. */
  readonly code?: string
  /** The methods there are, for 405. */
  readonly allow?: string
}

/** A request that cannot be answered: the status and the words that the client gets. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly status: number
  readonly details: Details

  constructor(status: number, message: string, details: Details = {}) {
    super(message)
    this.status = status
    this.details = details
  }
}

/** The same in the words of the API that the path belongs to. */
export function errorBody(path: string, error: RequestError): object {
  const { message, status, details } = error
  if (path.startsWith('/api/')) return { error: message }
  const type = status >= 500 ? 'server_error' : 'invalid_request_error'
  return { error: { message, type, param: details.param ?? null, code: details.code ?? null } }
}
