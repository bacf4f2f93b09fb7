import type { Media } from '../../tool/tool.ts'

/** A file as media: what kind it is, its media type says. */
export function mediaOf(mediaType: string, data: Uint8Array | string, name?: string): Media {
  const [top] = mediaType.split('/', 1)
  const type = top === 'image' || top === 'audio' ? top : 'file'
  return { type, mediaType, data, ...(name !== undefined && { name }) }
}
