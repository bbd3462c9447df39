import type { MemberVisibility } from '../../../lab/explain/visibility.ts'
import { prepare, prepareRecords, routes } from '../../client.ts'
import { type CastMember, chooseMember, useCast } from '../../components/cast.tsx'
import { Copy } from '../../components/code.tsx'
import { Search } from '../../components/form.tsx'
import { formatNumber } from '../../components/format.tsx'
import { Loaded, Problem } from '../../components/ui.tsx'
import { useRead } from '../../components/use-calls.ts'
import { linkTo, param } from '../../place.ts'

/** The lists that have a scope. Order: as shown. */
const lists = ['customers', 'signals'] as const
const scopes = ['mine', 'team', 'all'] as const

const sights = lists.flatMap((list) => scopes.map((scope) => ({ list, scope })))

export function PeopleView() {
  const { organizations, members, invalidTokens, member, error } = useCast()
  const visibility = useRead(prepare('get', routes.visibility))
  const records = useRead(prepareRecords('members', { limit: '250' }))
  const managers = new Map(records.value?.items.map(({ id, managerId }) => [id, Number(managerId)]))
  const found = organizations.flatMap(({ id, name }) => {
    const own = members.filter(({ organizationId }) => organizationId === id)
    const shown = listByManager(own, managers).filter(matches)
    return shown.length > 0 ? [{ id, name, shown }] : []
  })
  return (
    <>
      <div class="row view-head">
        <h1 title="Select a member to see the data with their eyes.">People</h1>
        <Search label="Find a member" placeholder="Name, role, id, token" />
      </div>
      <Problem error={error ?? visibility.error} />
      <Loaded isTable state={records}>
        {() => (
          <table class="people is-stacked">
            <thead>
              <tr>
                {['Member', 'Role', 'Token'].map((name) => (
                  <th key={name} scope="col" rowSpan={2}>
                    {name}
                  </th>
                ))}
                {lists.map((name) => (
                  <th key={name} scope="colgroup" colSpan={3}>
                    Sees {name}
                  </th>
                ))}
              </tr>
              <tr>
                {sights.map(({ list, scope }) => (
                  <th key={list + scope} scope="col" class="number">
                    {scope}
                  </th>
                ))}
              </tr>
            </thead>
            {found.map(({ id, name, shown }) => (
              <tbody key={id}>
                <tr>
                  <th scope="rowgroup" colSpan={9}>
                    {name} <code>{id}</code>
                  </th>
                </tr>
                {shown.map((one) => (
                  <MemberRow
                    key={one.token}
                    member={one}
                    isChosen={one.id === member?.id}
                    sees={visibility.value?.items.find(({ memberId }) => memberId === one.id)}
                  />
                ))}
              </tbody>
            ))}
          </table>
        )}
      </Loaded>
      {records.value && found.length === 0 && (
        <p class="empty">No members match. Search for another name, role, id or token.</p>
      )}
      {invalidTokens.length > 0 && (
        <p class="row">
          <span class="hint">Tokens that always get 401:</span>
          {invalidTokens.map((token) => (
            <span key={token}>
              <code>{token}</code> <Copy text={token} subject={`the token ${token}`} />
            </span>
          ))}
        </p>
      )}
    </>
  )
}

function matches({ name, role, id, token, organizationName }: CastMember): boolean {
  const all = `${name} ${role} ${id} ${token} ${organizationName}`.toLowerCase()
  const words = param('text').toLowerCase().split(/\s+/)
  return words.every((word) => all.includes(word))
}

interface Placed extends CastMember {
  readonly depth: number
}

/** Lists members below their managers. Order: by id. Members in a cycle or with an unknown manager go to the top. */
function listByManager(members: readonly CastMember[], managers: ReadonlyMap<unknown, number>) {
  const placed = new Set<number>()
  const known = new Set(members.map(({ id }) => id))
  // The top of the hierarchy is its own manager.
  const getManager = (id: number): number => managers.get(id) || id
  const place = (member: CastMember, depth: number): readonly Placed[] => {
    if (placed.has(member.id)) return []
    placed.add(member.id)
    const reports = members.filter(({ id }) => getManager(id) === member.id)
    return [{ ...member, depth }, ...reports.flatMap((report) => place(report, depth + 1))]
  }
  const tops = members.filter(({ id }) => getManager(id) === id || !known.has(getManager(id)))
  return [...tops, ...members].flatMap((member) => place(member, 0))
}

interface MemberRowProps {
  readonly member: Placed
  readonly isChosen: boolean
  readonly sees: MemberVisibility | undefined
}

function MemberRow({ member: { id, name, role, token, depth }, isChosen, sees }: MemberRowProps) {
  return (
    <tr class={isChosen ? 'is-chosen' : undefined}>
      <th scope="row" style={{ '--depth': depth }}>
        <label>
          <input type="radio" name="member" checked={isChosen} onChange={() => chooseMember(id)} /> {name}
        </label>{' '}
        <a href={linkTo('data', ['members', `${id}`])} aria-label={`Member ${id}`}>
          {id}
        </a>
      </th>
      <td>{role}</td>
      <td>
        <code>{token}</code> <Copy text={token} subject={`the token of ${name}`} />
      </td>
      {sights.map(({ list, scope }) => (
        <td key={list + scope} class="number" data-label={scope === 'mine' ? `${list}: mine` : scope}>
          <a href={linkTo('data', [list], { member: `${id}`, scope })}>
            {sees ? formatNumber(sees[list][scope]) : '…'}
          </a>
        </td>
      ))}
    </tr>
  )
}
