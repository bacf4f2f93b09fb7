/** Of a longer name the end counts. */
const LONGEST_NAME = 200

/** Words that make a name that of a secret, wherever they stand in it. */
const anywhere = new Set([
  ...[
    'password',
    'passwords',
    'passwd',
    'pw',
    'passphrase',
    'passcode',
    'pwd',
    'secret',
    'secrets',
    'credential',
  ],
  ...['credentials', 'authorization', 'cookie', 'cookies', 'bearer', 'jwt'],
])

/** Words that do so as the last one: `db_pass`, but not `pass_count`. */
const atEnd = new Set(['token', 'pass', 'auth', 'pin', 'otp', 'totp', 'cvv', 'cvc', 'dsn'])
/** Of these, words that mean something else too often when they stand alone in a text. */
const ambiguous = new Set(['pass', 'auth', 'pin', 'dsn'])
/** What may stand behind them all the same. */
const trailing = new Set(['value', 'string', 'header', 'data', 'base64', 'b64', 'encoded', 'raw', 'text'])

/** Names that are written as one word, or as several: `apikey`, `api_key`, `x-api-key`, `apiKeyId`. */
const joined =
  /passwo?r?d|passphrase|(?:api|access|secret|private|signing|signature|encryption|master|auth|account|session|storage|deploy|service|client|shared|license|admin|root|hmac|aes|ssh|gpg|pgp)keys?(?!board|words?|name|path|file|usage|type)|(?:access|auth|refresh|id|bearer|security|session|api|csrf|xsrf|bot|secret|github|gitlab|npm|slack|login|reset)tokens?(?!i[sz]|count|limit|usage|type)|clientsecret|sessionid|connectionstring|authorization/

/** One of these is in every name of a secret: most names are told apart by it at once. */
const hint =
  /pass|pw|secret|credential|auth|cookie|bearer|jwt|token|pin|otp|cv[vc]|dsn|key|session|connection/i

/**
 * Whether what has this name is a secret: `password`, `apiKey`, `X-Auth-Token`, `DB_PASS`; but not `tokens`, `tokenizer`,
 * `secretary`, `max_token_count`. `inText`: it was found in a text, where a short word may mean anything.
 */
export function isSecretName(name: string, inText = false): boolean {
  const end = name.slice(-LONGEST_NAME)
  if (!hint.test(end)) return false
  const words = end
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  // `token2`, `password_1`
  const plain = words.map((word) => word.replace(/\d+$/, '')).filter((word) => word !== '')
  if (plain.some((word) => anywhere.has(word))) return true
  let last = plain.length - 1
  while (last > 0 && trailing.has(plain[last] as string)) last--
  const word = plain[last] ?? ''
  if (atEnd.has(word) && !(inText && plain.length === 1 && ambiguous.has(word))) return true
  return joined.test(plain.join(''))
}
