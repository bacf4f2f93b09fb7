const LONGEST = 64

/**
 * Names that a tool may have, for names that others gave. A name that is one already stays. In the others, whatever is
 * no letter, digit, `_`, `-` or `.` becomes `_`, and what is too long is cut; a name that is taken then gets a number:
 * `get user`, `get/user` → `get_user`, `get_user_2`.
 */
export function usableNames(names: readonly string[]): string[] {
  const taken = new Set<string>()
  const claim = (name: string) => {
    const folded = name.toLowerCase()
    if (taken.has(folded)) return false
    taken.add(folded)
    return true
  }
  const kept = names.map((name) => /^[\w.-]{1,64}$/.test(name) && claim(name))
  return names.map((name, index) => {
    if (kept[index]) return name
    const plain = name.slice(0, LONGEST).replace(/[^\w.-]/g, '_') || '_'
    if (claim(plain)) return plain
    for (let number = 2; ; number++) {
      const numbered = `${plain.slice(0, LONGEST - 1 - String(number).length)}_${number}`
      if (claim(numbered)) return numbered
    }
  })
}
