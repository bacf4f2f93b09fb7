import type { FilePart } from './language-model.ts'

const dataUrl = /^data:([\w.+-]+\/[\w.+*-]+)?(?:;[\w=.-]+)*;base64,/i

/** A file by its URL. What a `data:` URL holds is taken out; others are passed on, and never fetched. */
export function readFileUrl(url: string, mediaType: string): FilePart | undefined {
  const data = dataUrl.exec(url)
  if (data)
    return {
      type: 'file',
      mediaType: data[1] ?? mediaType,
      data: { type: 'data', data: url.slice(data[0].length) },
    }
  if (!URL.canParse(url)) return undefined
  return { type: 'file', mediaType, data: { type: 'url', url: new URL(url) } }
}
