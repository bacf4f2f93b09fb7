import { checkName as checkWritable } from '../text/name-table.ts'

/** Any words on one line will do, as formats quote names where they must; marks that could end a tag will not. */
export function checkName(name: string): void {
  checkWritable(name, 'any format', isUsable)
}

const isUsable = (name: string) => /^[^\s<>/&"'`=#][^<>/&"'`=\p{Cc}]{0,63}$/u.test(name) && !/\s$/.test(name)
