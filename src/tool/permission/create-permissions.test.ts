import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPermissions } from './create-permissions.ts'
import type { Need, Permissions } from './permission.ts'

const kindOf = (permissions: Permissions, ...needs: Need[]) => permissions.check(needs).kind
const read = (path: string): Need => ({ capability: 'fs.read', path })
const write = (path: string): Need => ({ capability: 'fs.write', path })

describe('a store of permissions', () => {
  it('permits nothing by itself', () => {
    expect(kindOf(createPermissions(), read('a.txt'))).toBe('unset')
  })

  it('does not take reading for writing', () => {
    const permissions = createPermissions()
    permissions.grant({ capability: 'fs.read' })
    expect(kindOf(permissions, read('a.txt'))).toBe('granted')
    expect(kindOf(permissions, write('a.txt'))).toBe('unset')
  })

  it('grants only what is granted as a whole', () => {
    const permissions = createPermissions()
    permissions.grant({ capability: 'fs.read' })
    expect(permissions.check([read('a'), write('a')])).toMatchObject({ kind: 'unset', need: write('a') })
  })

  it('lets a denial count more than a grant, whichever came first', () => {
    for (const first of ['grant', 'deny'] as const) {
      const permissions = createPermissions()
      if (first === 'deny') permissions.deny({ capability: 'fs.read', path: 'secret' })
      permissions.grant({ capability: 'fs.read' })
      if (first === 'grant') permissions.deny({ capability: 'fs.read', path: 'secret' })
      expect(kindOf(permissions, read('secret/key.pem'))).toBe('denied')
      expect(kindOf(permissions, read('secrets.txt'))).toBe('granted')
    }
  })

  it('takes the last word on the same scope', () => {
    const permissions = createPermissions()
    permissions.deny(write('src'))
    permissions.grant(write('./src/'))
    expect(permissions.rules).toMatchObject([{ effect: 'grant', path: 'src' }])
    permissions.deny(write('src'))
    expect(kindOf(permissions, write('src/a'))).toBe('denied')
  })

  it('forgets a rule that is revoked, at once', () => {
    const permissions = createPermissions()
    const rule = permissions.grant({ capability: 'fs.write' })
    expect(kindOf(permissions, write('a'))).toBe('granted')
    expect(permissions.revoke(rule.id)).toEqual(rule)
    expect(kindOf(permissions, write('a'))).toBe('unset')
    expect(permissions.revoke(rule.id)).toBeUndefined()
  })

  it('forgets a rule that has expired', () => {
    let now = Date.parse('2026-01-01T00:00:00Z')
    const permissions = createPermissions([], { now: () => now })
    permissions.grant({ capability: 'fs.write', expires: new Date(now + 1000) })
    expect(kindOf(permissions, write('a'))).toBe('granted')
    now += 1000
    expect(kindOf(permissions, write('a'))).toBe('unset')
    expect(permissions.rules).toEqual([])
  })

  it.each([
    ['src', 'src/a.ts', true],
    ['src', 'src', true],
    ['src', './src//a.ts', true],
    ['.', 'any/where', true],
    ['src', 'srcx/a.ts', false],
    ['src', 'lib/src/a.ts', false],
    ['src', 'src/../lib/a.ts', false],
    ['src', '/src/a.ts', false],
    ['src', 'src\\a.ts', false],
    ['src', 'SRC/a.ts', false],
  ])('a grant on %s covers %s: %s', (folder, path, covered) => {
    const permissions = createPermissions()
    permissions.grant(write(folder))
    expect(kindOf(permissions, write(path))).toBe(covered ? 'granted' : 'unset')
  })

  it.each([
    ['secret', 'SECRET/key', true],
    ['secret', 'a/../secret/key', true],
    ['secret', '/secret/key', true],
    ['straße', 'STRASSE', false],
    ['caf\u00e9', 'cafe\u0301/x', true],
    ['secret', 'public/key', false],
  ])('a denial of %s covers %s: %s', (folder, path, covered) => {
    const permissions = createPermissions()
    permissions.grant({ capability: 'fs.write' })
    permissions.deny(write(folder))
    expect(kindOf(permissions, write(path))).toBe(covered ? 'denied' : 'granted')
  })

  it('denies all of a folder when some of it is denied', () => {
    const permissions = createPermissions()
    permissions.grant({ capability: 'fs.read' })
    permissions.deny(read('app/secret'))
    expect(kindOf(permissions, { ...read('.'), tree: true })).toBe('denied')
    expect(kindOf(permissions, { ...read('app'), tree: true })).toBe('denied')
    expect(kindOf(permissions, { ...read('docs'), tree: true })).toBe('granted')
    expect(kindOf(permissions, read('app'))).toBe('granted')
  })

  it('treats a need without a place as one that may be anywhere', () => {
    const permissions = createPermissions()
    permissions.grant(write('src'))
    expect(kindOf(permissions, { capability: 'fs.write' })).toBe('unset')
    permissions.grant({ capability: 'fs.write' })
    permissions.deny(write('secret'))
    expect(kindOf(permissions, { capability: 'fs.write' })).toBe('denied')
  })

  it.each([
    ['example.com', 'example.com', true],
    ['example.com', 'EXAMPLE.com.', true],
    ['example.com', 'example.com:8443', true],
    ['example.com', 'api.example.com', false],
    ['example.com', 'example.com.evil.org', false],
    ['example.com', 'evil-example.com', false],
    ['example.com', 'user@example.com', false],
    ['*.example.com', 'api.example.com', true],
    ['*.example.com', 'example.com', false],
    ['*.example.com', 'evilexample.com', false],
    ['example.com:8443', 'example.com:8443', true],
    ['example.com:8443', 'example.com', false],
    ['example.com:80', 'example.com:80', true],
    ['[::1]', '[::1]:8080', true],
    ['127.0.0.1', '0x7f.1', true],
  ])('a grant on the host %s covers %s: %s', (rule, host, covered) => {
    const permissions = createPermissions()
    permissions.grant({ capability: 'net', host: rule })
    expect(kindOf(permissions, { capability: 'net', host })).toBe(covered ? 'granted' : 'unset')
  })

  it('denies a port also where a need does not say which', () => {
    const permissions = createPermissions()
    permissions.grant({ capability: 'net' })
    permissions.deny({ capability: 'net', host: 'example.com:443' })
    expect(kindOf(permissions, { capability: 'net', host: 'example.com' })).toBe('denied')
    expect(kindOf(permissions, { capability: 'net', host: 'example.com:8080' })).toBe('granted')
  })

  it('never gives an id twice', () => {
    const permissions = createPermissions()
    const { id } = permissions.grant({ capability: 'a' })
    permissions.revoke(id)
    expect(permissions.grant({ capability: 'b' }).id).not.toBe(id)
  })

  it.each([
    [{ capability: 'fs.*' }],
    [{ capability: '' }],
    [{ capability: 'fs read' }],
    [{ capability: 'fs.read', path: '../x' }],
    [{ capability: 'fs.read', path: '/etc' }],
    [{ capability: 'net', host: 'a b' }],
    [{ capability: 'net', host: 'http://example.com' }],
    [{ capability: 'net', expires: 'soon' }],
  ])('refuses %j as a rule', (scope) => {
    expect(() => createPermissions().grant(scope)).toThrowError(
      expect.objectContaining({ code: 'permission.invalid_rule' }),
    )
  })

  it('goes on with the rules of another', () => {
    const first = createPermissions()
    first.grant({ capability: 'net', host: '*.Example.com', expires: '2999-01-01' })
    first.deny(write('src'))
    const second = createPermissions(JSON.parse(JSON.stringify(first.rules)))
    expect(second.rules).toEqual(first.rules)
    expect(second.grant({ capability: 'a' }).id).toBe('r3')
    const broken = [{ id: 'x', effect: 'maybe', capability: 'a' }]
    expect(() => createPermissions(broken as never)).toThrowError('no rule')
  })

  it('never grants what lies outside of what was granted', () => {
    const name = fc.constantFrom('a', 'b', '..', '.', '', 'A', '/', '\\', '\0', 'a.', 'ä')
    const paths = fc.array(name, { maxLength: 6 }).map((names) => names.join('/'))
    fc.assert(
      fc.property(paths, (path) => {
        const permissions = createPermissions()
        permissions.grant(write('a/b'))
        if (kindOf(permissions, write(path)) !== 'granted') return
        // What is granted is below a/b by the plainest reading of the path.
        expect(new URL(path, 'file:///').pathname.replace(/\/+/g, '/')).toMatch(/^\/a\/b(\/|$)/)
      }),
      { numRuns: 2000 },
    )
  })
})
