import { LegibleError } from '../core/legible-error.ts'

/** Any words on one line will do, as formats quote names where they must; marks that could end a tag will not. */
export function checkName(name: string): void {
  if (typeof name !== 'string' || !/^[^\s<>/&"'`=#][^<>/&"'`=\p{Cc}]{0,63}$/u.test(name) || /\s$/.test(name))
    throw new LegibleError(
      'section.invalid_name',
      `The section name ${JSON.stringify(name)} is not usable: 1 to 64 characters on one line, without < > / & = and quotes.`,
    )
}
