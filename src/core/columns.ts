/** A text as it can be shown on one line of a terminal, and how many columns it takes there. */
export interface Columns {
  readonly text: string
  readonly width: number
}

// What would be obeyed or stay unseen: controls, the marks that turn the direction of writing, invisible
// characters, and halves of surrogate pairs. A joiner is let through where it joins emoji.
const unseen = /[\p{Cc}\p{Cs}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/u
/** Which form of a sign is meant: drawn with the sign before it. */
const form = /[\ufe0e\ufe0f]/
const narrow = /^[\u0020-\u007e]*$/
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{20000}-\u{3fffd}]|(?!\p{Regional_Indicator})\p{Emoji_Presentation}/u
const pictogram = /\p{Extended_Pictographic}/u
const nothing = /[\p{M}\p{Emoji_Modifier}]/u

const JOINER = '\u200d'
const TAB = '    '
const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\b': '\\b', '\f': '\\f' }

/** Widths are those of most terminals; for emoji they differ, so there it is a good guess. */
export function columns(text: string): Columns {
  if (narrow.test(text)) return { text, width: text.length }
  let shown = ''
  let width = 0
  let before = ''
  /** An emoji stands before, with what belongs to it: its form, the colour of its skin. */
  let afterPictogram = false
  const characters = [...text]
  for (const [i, character] of characters.entries()) {
    const joins = character === JOINER && afterPictogram && pictogram.test(characters[i + 1] ?? '')
    const isForm = form.test(character) && pictogram.test(before)
    if (character === '\t') {
      shown += TAB
      width += TAB.length
    } else if (unseen.test(character) && !joins && !isForm) {
      const visible = short[character] ?? escaped(character)
      shown += visible
      width += visible.length
    } else {
      shown += character
      // What is joined to an emoji is drawn in its place.
      if (!joins && before !== JOINER) width += widthOf(character, before)
    }
    before = character
    afterPictogram = pictogram.test(character) || (afterPictogram && (isForm || nothing.test(character)))
  }
  return { text: shown, width }
}

function widthOf(character: string, before: string): number {
  // The mark that asks for the coloured form of a sign, which is wide.
  if (character === '\ufe0f') return pictogram.test(before) && !wide.test(before) ? 1 : 0
  if (nothing.test(character)) return 0
  return wide.test(character) ? 2 : 1
}

function escaped(character: string): string {
  const code = (character.codePointAt(0) as number).toString(16)
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
}
