/** Puts values into the places of a layout, all at once: a value that looks like a place stays what it is. */
export function fill(layout: string, places: Readonly<Record<string, string>>): string {
  return layout.replace(/\{(\w+)\}/g, (place, name: string) =>
    Object.hasOwn(places, name) ? (places[name] as string) : place,
  )
}
