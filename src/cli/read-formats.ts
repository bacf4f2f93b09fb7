/** The formats of `legible read`. They stand alone so that its help needs no reader. */
export const readFormats = ['json', 'xml', 'markdown', 'labels', 'reply', 'plan'] as const
export type Format = (typeof readFormats)[number]
