import { expect, test } from 'vitest'
import { NoRoom, StepRoom } from './step-room.ts'

test('so many at the same time, and none when it is closed', async () => {
  const room = new StepRoom(2)
  const ends: (() => void)[] = []
  let running = 0
  let most = 0
  const step = () =>
    room.admit(async () => {
      most = Math.max(most, ++running)
      await new Promise<void>((resolve) => ends.push(resolve))
      running--
    })
  const steps = [step(), step(), step()]
  steps[2]?.catch(() => {})
  await new Promise((resolve) => setTimeout(resolve))
  expect(running).toBe(2)
  let isClosed = false
  const closed = room.close().then(() => {
    isClosed = true
  })
  ends.shift()?.()
  // The one that has waited does not begin.
  await expect(steps[2]).rejects.toThrow(NoRoom)
  expect(isClosed).toBe(false)
  ends.shift()?.()
  await closed
  await expect(room.admit(async () => 1)).rejects.toThrow('about to end')
  expect(most).toBe(2)
})
