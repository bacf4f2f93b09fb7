/** A file of goals that run one after the other; each needs what the one before it gave. */
export function goalsInSequence(count: number): string {
  const names = Array.from({ length: count }, (_, i) => `goal${i + 1}`)
  const goals = names.map((name, i) => {
    const prompt =
      i === 0
        ? 'Find out what is known about $topic, and what it would cost.'
        : `Go on from this, and add what is missing: $result${i}. The topic is $topic.`
    return `# Step ${i + 1} of ${count}.\nGOAL ${name} "${prompt}"\n  -> result${i + 1}: string, confidence${i + 1}: number`
  })
  return `NAME sequence\n\nINPUT topic DEFAULT "heat pumps"\n\n${goals.join('\n\n')}\n\nRUN main USING ${names.join(', ')}\n`
}

/** Goals in sequence, each with all agents at the same time. */
export function agentsInParallel(agentCount: number, goalCount: number): string {
  const agents = Array.from({ length: agentCount }, (_, i) => `agent${i + 1}`)
  const names = Array.from({ length: goalCount }, (_, i) => `goal${i + 1}`)
  const declared = agents.map((name, i) => `AGENT ${name} "You look at side ${i + 1} of $topic."`)
  const goals = names.map(
    (name, i) => `GOAL ${name} "Look at part ${i + 1} of $topic."\n  USING ${agents.join(', ')}`,
  )
  return `NAME parallel\n\nINPUT topic DEFAULT "heat pumps"\n\n${declared.join('\n')}\n\n${goals.join('\n\n')}\n\nRUN main USING ${names.join(', ')}\n`
}
