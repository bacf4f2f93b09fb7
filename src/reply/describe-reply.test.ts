import { describe, expect, it } from 'vitest'
import { tools } from '../../fixtures/reply/tools.ts'
import { describeReply } from './describe-reply.ts'
import { readReply } from './read-reply.ts'

describe('describeReply', () => {
  it('is always the same', () => {
    expect(describeReply(tools)).toBe(describeReply(tools.tools))
    expect(describeReply(tools)).toMatchInlineSnapshot(`
      "Reply in exactly one of these ways:
      1. Text, to answer: write it as it is, without JSON around it.
      2. An action, to call a tool: end your reply with one JSON object of the form
         {"type": "action", "tool": name, "args": {…}}
         on a line of its own. Text may stand before it, nothing after it. Do not put it in a code fence or in quotes. One action per reply; you get its result before you go on.
      3. An error, if you cannot go on: reply with one JSON object of the form
         {"type": "error", "code": "permission_denied", "message": "why"}
         where the code is one short word such as permission_denied, invalid_args or tool_not_found.

      The tools:

      fs.read: Reads a file of the repository.
        args: JSON of this type:
        {
          // relative to the repository
          path: string
        }
        Example: {"type":"action","tool":"fs.read","args":{"path":"text"}}

      fs.write: Writes a file of the repository.
        args: JSON of this type:
        {
          path: string
          content: string
          mode?: "create" | "replace"
        }
        Example: {"type":"action","tool":"fs.write","args":{"path":"text","content":"text","mode":"create"}}

      search: Searches the repository.
        args: JSON of this type:
        {
          query: string // at least 2 characters
          limit?: integer // at most 50
        }
        Example: {"type":"action","tool":"search","args":{"query":"text","limit":1}}

      now: The time.
        It takes no arguments.
        Example: {"type":"action","tool":"now","args":{}}

      An action that you only want to show, as an example, belongs in a code fence with text around it."
    `)
  })

  it('has an example of each tool that is a live action', () => {
    const examples = describeReply(tools)
      .split('\n')
      .flatMap((line) => /Example: (.*)/.exec(line)?.[1] ?? [])
    expect(examples).toHaveLength(4)
    for (const example of examples)
      expect(readReply(example, { tools })).toMatchObject({ ok: true, value: { type: 'action' }, issues: [] })
  })

  it('says nothing of actions when there are no tools', () => {
    expect(describeReply([])).not.toContain('action')
  })

  it('is text when a model repeats it', () => {
    expect(readReply(describeReply(tools), { tools }).value).not.toHaveProperty('call')
  })
})
