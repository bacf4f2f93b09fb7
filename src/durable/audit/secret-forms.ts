/** How a secret looks. Three groups: what stays before it, the secret, what stays behind it. */
export interface SecretForm {
  readonly form: RegExp
  /** Of what has the form: whether it is one. */
  readonly isSecret?: (found: string) => boolean
}

// Each form is linear: what follows a fixed start is a run that either is long enough, which takes it whole, or ends after a
// few characters. None looks for something behind a run of any length.

/** A start that also stands within words counts only where none goes on. `%3D` is a character in a URL. */
const START = '(?<![A-Za-z0-9])|(?<=%[0-9A-Fa-f]{2})'

const hasDigit = (text: string) => /\d/.test(text)

/** By the marks that providers give their keys. */
const marked = [
  'gh[oprsu]_[A-Za-z0-9]{16,}',
  'github_pat_\\w{16,}',
  'gl(?:pat|dt|rt|cbt|ptt|ft|imt|soat|agent)-[\\w-]{16,}',
  'xox[a-z]-[\\w-]{8,}',
  'xapp-[\\w-]{16,}',
  'AIza[\\w-]{30,}',
  'ya29\\.[\\w-]{16,}',
  'GOCSPX-[\\w-]{16,}',
  'npm_[A-Za-z0-9]{30,}',
  'pypi-[\\w-]{32,}',
  '[prs]k_(?:live|test)_[A-Za-z0-9]{10,}',
  'whsec_[A-Za-z0-9+/=]{16,}',
  'SG\\.[\\w-]{16,64}\\.[\\w-]{16,}',
  'hf_[A-Za-z0-9]{24,}',
  'gsk_[A-Za-z0-9]{24,}',
  'xai-[A-Za-z0-9]{24,}',
  'pplx-[A-Za-z0-9]{24,}',
  'r8_[A-Za-z0-9]{24,}',
  'do[opr]_v1_[a-f0-9]{32,}',
  'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{24,}',
  'hv[bsr]\\.[\\w-]{20,}',
  'lin_api_[A-Za-z0-9]{24,}',
  'ntn_[A-Za-z0-9]{24,}',
  'tskey-[\\w-]{16,}',
  'sq0[a-z]{3}-[\\w-]{16,}',
  'dapi[a-f0-9]{32}',
  'AGE-SECRET-KEY-1[A-Z0-9]{30,}',
  'hooks\\.slack\\.com/services/[\\w/]{16,}',
  'api/webhooks/\\d{8,24}/[\\w-]{30,}',
].join('|')

const keyBlock = '[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----'

const form = (before: string, secret: string, after = '', flags = 'g') =>
  new RegExp(`(${before})(${secret})(${after})`, flags)

export const secretForms: readonly SecretForm[] = [
  // A block that has no end is one as well: it was cut.
  { form: form('', `-----BEGIN ${keyBlock}[^]*?(?:-----END ${keyBlock}|$)`) },
  { form: form('', marked) },
  { form: form(START, '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{12,}') },
  { form: form(START, 'sk-[\\w-]{16,}'), isSecret: hasDigit },
  { form: form(START, 'key-[a-f0-9]{32}') },
  { form: form(START, '\\d{8,10}:[\\w-]{35}') },
  // The run is taken whole, whatever it is: to look for a dot from each `eyJ` on would take the square of its length.
  {
    form: form('', 'eyJ[\\w-]*(?:\\.[\\w-]*)*'),
    isSecret: (text) => text.length > 20 && text.includes('.'),
  },
  // `Bearer …`, but not `bearer of news`.
  {
    form: form('\\bBearer(?:[ \\t+]{1,4}|%20)', '[\\w.~+/=-]{8,}', '', 'gi'),
    isSecret: (text) => hasDigit(text) || text.length >= 24,
  },
  {
    form: form('\\bBasic(?:[ \\t+]{1,4}|%20)', '[\\w+/=-]{6,}', '', 'gi'),
    isSecret: hasColonWithin,
  },
  // `://user:password@`; also a password with an @ in it.
  { form: form('://[^\\s/@:"\'`<>]*:', '[^\\s/"\'`<>]+', '@') },
  // `://token@`
  { form: form('://', '[^\\s/@:"\'`<>]{20,}', '@') },
  // .netrc
  { form: form('\\blogin\\s{1,8}\\S{1,100}\\s{1,8}password\\s{1,8}', '\\S+', '', 'gi') },
  // `?sig=…`, `&X-Amz-Signature=…`
  { form: form('[?&](?:[\\w-]{0,20}signature|sig)=', '[^&\\s"\'#]+', '', 'gi') },
  // Commands whose `-p` is a password.
  {
    form: form(
      '\\b(?:sshpass|mysql\\w{0,10}|mariadb|(?:docker|podman|helm registry) login)\\b[^\\n|;&]{0,80}?\\s-p[ \\t]{0,4}',
      '"[^"\\n]*"|\'[^\'\\n]*\'|[^\\s"\'-][^\\s"\']*',
    ),
  },
  // `curl -u name:password`
  { form: form('\\s(?:-u|--user|--proxy-user)[\\s=]{1,3}["\']?[^\\s:"\']{1,100}:', '[^\\s"\']+') },
]

/** What `Basic` is followed by, if it is more than a word: base64 of `name:password`. */
function hasColonWithin(text: string): boolean {
  return /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(Buffer.from(text.slice(0, 4096), 'base64').toString('latin1'))
}

/** Lengths of sums in hexadecimal digits: MD5, SHA-1, SHA-224, SHA-256, SHA-384, SHA-512. They tell nothing. */
const sums = new Set([32, 40, 56, 64, 96, 128])
/** The share of neighbours of different kinds (a, A, 1). By lot it is about 0.65, in names of programs about 0.3. */
const MANY_CHANGES = 0.45
const SOME_CHANGES = 0.3
/** Bits of a character, by how often each one comes: of 40 by lot about 4.8, in names of programs up to 4.3. */
const MANY_BITS = 4.5

/** Of 32 and more letters and digits: whether they look as if drawn by lot, and are no sum. */
export function isRandomText(text: string): boolean {
  if (/^[0-9a-f]+$/.test(text) || /^[0-9A-F]+$/.test(text))
    return hasDigit(text) && !sums.has(text.length) && /[a-f]/i.test(text)
  if (/^sha\d{1,3}[-_]/.test(text)) return false
  if (!/[a-z]/.test(text) || !/[A-Z]/.test(text) || !hasDigit(text)) return false
  let pairs = 0
  let changes = 0
  for (let i = 1; i < text.length; i++) {
    const [before, here] = [kindOf(text.charCodeAt(i - 1)), kindOf(text.charCodeAt(i))]
    if (before === 0 || here === 0) continue
    pairs++
    if (before !== here) changes++
  }
  if (changes >= pairs * MANY_CHANGES) return true
  return changes >= pairs * SOME_CHANGES && bitsOf(text) >= MANY_BITS
}

/** 0: neither a letter nor a digit. */
function kindOf(code: number): number {
  if (code >= 97) return code <= 122 ? 1 : 0
  if (code >= 65) return code <= 90 ? 2 : 0
  return code >= 48 && code <= 57 ? 3 : 0
}

function bitsOf(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}
