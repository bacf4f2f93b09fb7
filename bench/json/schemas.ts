import { z } from 'zod'

export const zodSchema = z.array(
  z.object({
    id: z.int(),
    title: z.string(),
    category: z.enum(['pricing', 'delivery', 'quality', 'support', 'other']),
    score: z.number(),
    verified: z.boolean(),
    reviewer: z.string().nullable(),
    place: z.object({
      city: z.string(),
      country: z.string(),
      position: z.object({ lat: z.number(), lon: z.number() }),
    }),
    tags: z.array(z.string()),
    summary: z.string(),
    steps: z.array(z.object({ order: z.int(), action: z.string(), minutes: z.number().nullable() })),
  }),
)

/** The same as plain data. */
export const jsonSchema: Record<string, unknown> = JSON.parse(JSON.stringify(z.toJSONSchema(zodSchema)))

/** The same for BAML, with the function and the model that its runtime asks for and never calls here. */
export const bamlSource = `
class Position {
  lat float
  lon float
}
class Place {
  city string
  country string
  position Position
}
class Step {
  order int
  action string
  minutes float?
}
class Finding {
  id int
  title string
  category "pricing" | "delivery" | "quality" | "support" | "other"
  score float
  verified bool
  reviewer string?
  place Place
  tags string[]
  summary string
  steps Step[]
}
client<llm> Nobody {
  provider openai
  options {
    model "none"
    api_key "none"
  }
}
function Read(text: string) -> Finding[] {
  client Nobody
  prompt #"{{ text }} {{ ctx.output_format }}"#
}
`
