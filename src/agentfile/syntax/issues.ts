import { defineIssues, kind } from '../../core/issue.ts'

type Maybe = string | undefined
/** What has the name instead of a variable. */
type FoundInstead = 'nothing' | 'output of an agent' | 'goal'

/** Whatever a file says may be long. */
const short = (text: string) => (text.length > 60 ? `${text.slice(0, 57)}…` : text)
const quoted = (text: string) => JSON.stringify(short(text))
const meant = (suggestion: Maybe, sign = '') =>
  suggestion === undefined ? '' : `; did you mean ${sign}${short(suggestion)}?`
/** Of a prompt that is a file, the issue points at FROM, and `place` says where in the file: `a.md:3`. */
const inFile = (p: { place?: Maybe }) => (p.place === undefined ? '' : ` (${short(p.place)})`)
/** Names, but no more than a line of them. */
const listed = (names: readonly string[]) =>
  names.length > 8 ? `${names.slice(0, 7).map(short).join(', ')}, …` : names.map(short).join(', ')

/** What can be wrong with an Agentfile. The comment above a row documents its code. */
export const agentfileIssues = defineIssues('agentfile', {
  /** A string has no closing quotes. It was read to the end of its line, or up to the next statement. */
  unclosed_string: kind<{ quotes: string }>({
    severity: 'error',
    message: (p) => `this string is not closed: ${p.quotes} is missing`,
    hint: (p) => `Close each string with ${p.quotes}.`,
  }),
  /** A string stands in single or curly quotes. */
  wrong_quotes: kind<{ quote: string }>({
    severity: 'error',
    message: (p) => `strings stand in straight double quotes: write " instead of ${p.quote}`,
    hint: 'Write strings in straight double quotes: "…".',
  }),
  /** A backslash stands before a character that needs none. Both were kept. */
  unknown_escape: kind<{ escape: string }>({
    severity: 'warning',
    message: (p) => `${p.escape} is no escape; write \\${p.escape} if the backslash is meant`,
    hint: (p) => `Write \\${p.escape} instead of ${p.escape}.`,
  }),

  /** A statement begins with a word that is no keyword. It was left out. */
  unknown_statement: kind<{ word: string; suggestion?: Maybe }>({
    severity: 'error',
    message: (p) => `no statement begins with ${short(p.word)}${meant(p.suggestion)}`,
    hint: (p) =>
      `Begin each statement with a keyword, not with ${short(p.word)}: NAME, INPUT, AGENT, GOAL, CONVERGE, RUN, SUPERVISED or SECURITY.`,
  }),
  /** Something else should stand there. */
  unexpected: kind<{ found: string; expected: string }>({
    severity: 'error',
    message: (p) => `expected ${p.expected}, found ${short(p.found)}`,
    hint: (p) => `Where ${short(p.found)} stands, write ${p.expected}.`,
  }),
  /** A keyword stands where a name should. */
  reserved_name: kind<{ name: string }>({
    severity: 'error',
    message: (p) => `${short(p.name)} is a keyword and cannot be a name`,
    hint: (p) => `Choose another name than ${short(p.name)}.`,
  }),
  /** A name has characters that names do not have, or stands in quotes. */
  invalid_name: kind<{ name: string }>({
    severity: 'error',
    message: (p) =>
      `${quoted(p.name)} is no name: write letters a–z, digits, _ and -, with a letter or _ first, without quotes`,
    hint: (p) => `Instead of ${quoted(p.name)}, write a name of letters, digits, _ and - without quotes.`,
  }),
  /** A statement lacks a part that it must have. */
  missing_clause: kind<{ statement: string; clause: string }>({
    severity: 'error',
    message: (p) => `${p.statement} needs ${p.clause}`,
    hint: (p) => `Give each ${p.statement} ${p.clause}.`,
  }),
  /** A clause that this kind of statement does not have. */
  misplaced_clause: kind<{ statement: string; clause: string }>({
    severity: 'error',
    message: (p) => `${p.statement} takes no ${p.clause}`,
    hint: (p) => `Leave out ${p.clause} of ${p.statement}.`,
  }),
  /** A statement has the same clause twice. The first counts. */
  duplicate_clause: kind<{ statement: string; clause: string }>({
    severity: 'error',
    message: (p) => `${p.statement} has more than one ${p.clause}`,
    hint: (p) => `Write one ${p.clause} for each ${p.statement}.`,
  }),
  /** A type that does not exist. */
  unknown_type: kind<{ name: string; suggestion?: Maybe }>({
    severity: 'error',
    message: (p) => `no type is named ${short(p.name)}${meant(p.suggestion)}`,
    hint: (p) =>
      `Instead of the type ${short(p.name)}, write string, number, integer, boolean, date, duration, list<…>, {…} or enum("…").`,
  }),
  /** Types or values within each other, too deep to be meant. */
  too_deep: kind<{ limit: number }>({
    severity: 'error',
    message: (p) => `types and values may be ${p.limit} levels deep`,
    hint: 'Write simpler types and values.',
  }),

  /** `LOOP … WITHIN n` is the older spelling of `RUN … WITHIN n`. */
  old_loop: kind<{ name: string; goals: readonly string[]; within: string }>({
    severity: 'warning',
    message: (p) =>
      `LOOP is an older spelling: write RUN ${short(p.name)} USING ${listed(p.goals)} WITHIN ${short(p.within)}`,
    hint: (p) =>
      `Write RUN ${short(p.name)} USING ${listed(p.goals)} WITHIN ${short(p.within)} instead of LOOP.`,
  }),
  /** `VERSION` says nothing about the workflow. It was read as a comment. */
  old_version: kind<{ version: string }>({
    severity: 'warning',
    message: (p) => `VERSION is an older spelling and has no effect: write # version ${short(p.version)}`,
    hint: 'Leave out VERSION.',
  }),
  /** `WORKFLOW x` is the older spelling of `NAME x`. */
  old_workflow: kind<{ name: string }>({
    severity: 'warning',
    message: (p) => `WORKFLOW is an older spelling: write NAME ${short(p.name)}`,
    hint: (p) => `Write NAME ${short(p.name)} instead of WORKFLOW.`,
  }),
  /** `INPUT x="v"` and `INPUT x "v"` are older spellings of `INPUT x DEFAULT "v"`. */
  old_default: kind<{ name: string; value: string }>({
    severity: 'warning',
    message: (p) => `this is an older spelling: write INPUT ${short(p.name)} DEFAULT ${short(p.value)}`,
    hint: (p) => `Write INPUT ${short(p.name)} DEFAULT ${short(p.value)}.`,
  }),
  /** A goal has no name. One was made of its prompt. */
  old_unnamed_goal: kind<{ statement: string; name: string }>({
    severity: 'warning',
    message: (p) => `a goal without a name is an older spelling: write ${p.statement} ${short(p.name)} "…"`,
    hint: 'Give each goal a name.',
  }),
  /** `{{name}}` is the older spelling of `$name`. */
  old_variable: kind<{ name: string; place?: Maybe }>({
    severity: 'warning',
    message: (p) => `{{${short(p.name)}}} is an older spelling: write $${short(p.name)}${inFile(p)}`,
    hint: (p) => `Write $${short(p.name)} instead of {{${short(p.name)}}}.`,
  }),
  /** `RUN a THEN b` is the older spelling of `RUN main USING a, b`. */
  old_then: kind<{ name: string; goals: readonly string[] }>({
    severity: 'warning',
    message: (p) => `THEN is an older spelling: write RUN ${short(p.name)} USING ${listed(p.goals)}`,
    hint: (p) => `Write RUN ${short(p.name)} USING ${listed(p.goals)}.`,
  }),
  /** A string in plain quotes goes over several lines. */
  old_string: kind({
    severity: 'warning',
    message: 'a string over several lines in plain quotes is an older spelling: write """ around it',
    hint: 'Write """ around text of several lines.',
  }),

  /** The file has no NAME. */
  missing_name: kind({
    severity: 'error',
    message: 'the file has no NAME',
    hint: 'Begin with NAME and a name.',
  }),
  /** The file has goals and no RUN. They run one after the other. */
  missing_run: kind<{ goals: readonly string[] }>({
    severity: 'warning',
    message: (p) =>
      `the file has no RUN: its goals run in their order, as with RUN main USING ${listed(p.goals)}`,
    hint: 'End with RUN main USING and the names of the goals.',
  }),
  /** The file has neither a RUN nor a goal. */
  nothing_to_run: kind({
    severity: 'error',
    message: 'the file has no GOAL and no RUN: nothing would happen',
    hint: 'Write at least one GOAL, and a RUN that uses it.',
  }),
  /** Two inputs, two agents, two goals, two RUNs, two outputs or agents of a goal, or two parts of a type have the same name. */
  duplicate_name: kind<{ what: string; name: string; line?: number | undefined }>({
    severity: 'error',
    message: (p) =>
      `${p.what} ${short(p.name)} stands there already${p.line === undefined ? '' : `, on line ${p.line}`}`,
    hint: (p) => `${p.what} ${short(p.name)}: give each a name of its own.`,
  }),
  /** NAME, SECURITY or the supervision of the file is said twice. The first counts. */
  duplicate_statement: kind<{ statement: string; line: number }>({
    severity: 'error',
    message: (p) => `${p.statement} stands there already, on line ${p.line}`,
    hint: (p) => `Write ${p.statement} once.`,
  }),
  /** USING of a goal names an agent that is not declared. */
  undefined_agent: kind<{ name: string; found: 'nothing' | 'goal'; suggestion?: Maybe }>({
    severity: 'error',
    message: (p) =>
      p.found === 'goal'
        ? `${short(p.name)} is a goal: a goal can use agents only`
        : `no agent is named ${short(p.name)}${meant(p.suggestion)}`,
    hint: (p) => `Declare an agent ${short(p.name)}, or use one that is declared.`,
  }),
  /** USING of a RUN names a goal that is not declared. */
  undefined_goal: kind<{ name: string; found: 'nothing' | 'agent'; suggestion?: Maybe }>({
    severity: 'error',
    message: (p) =>
      p.found === 'agent'
        ? `${short(p.name)} is an agent: RUN can use goals only`
        : `no goal is named ${short(p.name)}${meant(p.suggestion)}`,
    hint: (p) => `Declare a goal ${short(p.name)}, or name one that is declared.`,
  }),
  /** A prompt or a limit uses a variable that no input and no goal provides. */
  undefined_variable: kind<{ name: string; found: FoundInstead; suggestion?: Maybe; place?: Maybe }>({
    severity: 'error',
    message: (p) => {
      if (p.found === 'output of an agent')
        return `${short(p.name)} is an output of an agent: only outputs of goals are variables${inFile(p)}`
      if (p.found === 'goal')
        return `${short(p.name)} is a goal, not a variable: declare its outputs with -> and use them${inFile(p)}`
      return `no input or output is named ${short(p.name)}${meant(p.suggestion, '$')}${inFile(p)}`
    },
    hint: (p) => `$${short(p.name)} is no variable: use an input, or an output of a goal that ran before.`,
  }),
  /** A variable is used before the goal that provides it has run. */
  early_variable: kind<{ name: string; from: string; runs: 'later' | 'never'; place?: Maybe }>({
    severity: 'error',
    message: (p) =>
      `$${short(p.name)} is not there yet: the goal ${short(p.from)} provides it, which ${p.runs === 'never' ? 'no RUN names' : 'has not run by then'}${inFile(p)}`,
    hint: (p) => `Use $${short(p.name)} only in goals that run after ${short(p.from)}.`,
  }),
  /** Braces stand around a name that is almost that of a variable. They were read as text. */
  unknown_braces: kind<{ name: string; text: string; suggestion: string; place?: Maybe }>({
    severity: 'warning',
    message: (p) =>
      `${short(p.text)} stays as it is, as no variable is named ${short(p.name)}${meant(p.suggestion, '$')}${inFile(p)}`,
  }),
  /** An output has the name of an input. */
  output_is_input: kind<{ name: string }>({
    severity: 'error',
    message: (p) => `the output ${short(p.name)} has the name of an input`,
    hint: (p) => `Name the output ${short(p.name)} otherwise: an input has this name.`,
  }),
  /** Two goals have the same output. The later value takes the place of the earlier one. */
  repeated_output: kind<{ name: string; goal: string }>({
    severity: 'warning',
    message: (p) =>
      `the goal ${short(p.goal)} has an output ${short(p.name)} too: the later value replaces the earlier`,
    hint: (p) => `Give the outputs ${short(p.name)} names of their own.`,
  }),
  /** A prompt is so long that it had better stand in a file. */
  long_prompt: kind<{ length: number; limit: number }>({
    severity: 'warning',
    message: (p) => `this prompt has ${p.length} characters: above ${p.limit}, consider a file and FROM`,
  }),
  /** WITHIN needs a whole number of at least 1. */
  invalid_limit: kind<{ value: string }>({
    severity: 'error',
    message: (p) => `WITHIN needs a whole number of at least 1, not ${short(p.value)}`,
    hint: 'Write WITHIN with a whole number of at least 1.',
  }),
  /** No goal uses this agent. */
  unused_agent: kind<{ name: string }>({
    severity: 'warning',
    message: (p) => `no goal uses the agent ${short(p.name)}`,
  }),
  /** No RUN names this goal. */
  unused_goal: kind<{ name: string }>({
    severity: 'warning',
    message: (p) => `no RUN names the goal ${short(p.name)}: it does not run`,
  }),
  /** A path leads out of the folder of the Agentfile. */
  outside_path: kind<{ path: string }>({
    severity: 'error',
    message: (p) => `${quoted(p.path)} leads out of the folder of this file`,
    hint: (p) => `${quoted(p.path)}: write a path within the folder.`,
  }),
  /** The file that FROM names does not exist. */
  missing_file: kind<{ path: string }>({
    severity: 'error',
    message: (p) => `there is no file ${quoted(p.path)}`,
    hint: (p) => `${quoted(p.path)}: write the path of a file that exists.`,
  }),
  /** A security mode that does not exist. */
  unknown_mode: kind<{ mode: string; suggestion?: Maybe; modes: readonly string[] }>({
    severity: 'error',
    message: (p) =>
      `no security mode is named ${short(p.mode)}${meant(p.suggestion) || `: write ${p.modes.join(', ')}`}`,
    hint: (p) => `Write one of these security modes: ${listed(p.modes)}.`,
  }),
  /** `SECURITY research` does not say what it is limited to. */
  missing_scope: kind<{ mode: string }>({
    severity: 'error',
    message: (p) => `SECURITY ${short(p.mode)} needs a scope: say in quotes what it is limited to`,
    hint: (p) => `Write the scope in quotes behind SECURITY ${short(p.mode)}.`,
  }),
  /** The default of an input does not fit its type. */
  invalid_default: kind<{ name: string; type: string; value: string }>({
    severity: 'error',
    message: (p) => `the default of ${short(p.name)} must be ${short(p.type)}, not ${short(p.value)}`,
    hint: (p) => `The default of ${short(p.name)} must be ${short(p.type)}.`,
  }),
  /** There were more issues than can be listed; errors are listed before others. */
  more_issues: kind<{ count: number }>({
    severity: 'warning',
    message: (p) => `${p.count} more issues are not listed`,
  }),
})
