import type { Settings } from '../../../contract/choices.ts'
import type { MemberVisibility, ScopeCounts } from '../../../explain/visibility.ts'
import { prepare, readDocument, routes } from '../../client.ts'
import { type CastMember, chooseMember, useCast } from '../../components/cast.ts'
import { Copy } from '../../components/code.tsx'
import { formatNumber } from '../../components/format.tsx'
import { Problem } from '../../components/problem.tsx'
import { useRead } from '../../components/use-calls.ts'
import { linkTo, place, setQuery } from '../../place.ts'
import { type Placed, findTeam, listByManager } from './hierarchy.ts'

/** The lists that have a scope. Order: as shown. */
const lists = ['customers', 'signals'] as const
const scopes = ['mine', 'team', 'all'] as const

/** The most members to read. */
const READ = '250'

/** Lists everyone below their managers, with their tokens, their team, and how much they see. */
export function PeopleView() {
  const { organizations, members, invalidTokens, member, error } = useCast()
  const { value: visibility, error: failure } = useRead(prepare('get', routes.visibility))
  const records = useRead(
    prepare('get', routes.data[':collection'], { param: { collection: 'members' }, query: { limit: READ } }),
  ).value?.items
  const team = useRead(readDocument).value?.info['x-assumptions'].team ?? 'peers'
  const text = place.value.query.get('filter') ?? ''
  const managers = new Map(records?.map(({ id, managerId }) => [id, Number(managerId)]))
  const teammates = member ? findTeam(member, members, managers, team) : new Set<number>()
  const visibilities = new Map(visibility?.items.map((item) => [item.memberId, item]))
  const found = organizations.flatMap(({ id, name }) => {
    const own = listByManager(
      members.filter(({ organizationId }) => organizationId === id),
      managers,
    )
    const shown = own.filter((one) => matches(one, text))
    return shown.length > 0 ? [{ id, name, shown }] : []
  })
  return (
    <>
      <div class="row view-head">
        <h1>People</h1>
        <p class="hint">
          {member && teamText(member, teammates.size, team)} Select a member to see the data with their eyes.
        </p>
        <label class="field">
          Find a member{' '}
          <input
            type="search"
            data-search
            value={text}
            placeholder="Name, role, id, token"
            onInput={({ currentTarget }) => setQuery({ filter: currentTarget.value })}
          />
        </label>
      </div>
      <Problem error={error ?? failure} />
      {found.length > 0 && (
        <table class="people">
          <Head />
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
                  isTeammate={teammates.has(one.id)}
                  visibility={visibilities.get(one.id)}
                />
              ))}
            </tbody>
          ))}
        </table>
      )}
      {members.length > 0 && found.length === 0 && <p class="empty">No members match.</p>}
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

const teamTexts: Readonly<Record<Settings['team'], string>> = {
  peers: 'everyone with the same manager',
  branch: 'the manager and everyone below',
}

const teamText = ({ name }: CastMember, size: number, team: Settings['team']): string =>
  `${name} is in a team of ${size}: ${teamTexts[team]}.`

/** Reports whether a member matches every word of a search. */
function matches({ name, role, id, token, organizationName }: Placed, text: string): boolean {
  const words = text.toLowerCase().split(/\s+/)
  const all = `${name} ${role} ${id} ${token} ${organizationName}`.toLowerCase()
  return words.every((word) => all.includes(word))
}

function Head() {
  return (
    <thead>
      <tr>
        <th scope="col" rowSpan={2}>
          Member
        </th>
        <th scope="col" rowSpan={2}>
          Role
        </th>
        <th scope="col" rowSpan={2}>
          Token
        </th>
        {lists.map((name) => (
          <th key={name} scope="colgroup" colSpan={3} class="people-sight">
            Sees {name}
          </th>
        ))}
      </tr>
      <tr>
        {lists.flatMap((name) =>
          scopes.map((scope) => (
            <th key={`${name} ${scope}`} scope="col" class="number">
              {scope}
            </th>
          )),
        )}
      </tr>
    </thead>
  )
}

interface MemberRowProps {
  readonly member: Placed
  readonly isChosen: boolean
  readonly isTeammate: boolean
  /** Undefined until it is loaded. */
  readonly visibility: MemberVisibility | undefined
}

function MemberRow({ member, isChosen, isTeammate, visibility }: MemberRowProps) {
  const { id, name, role, token, depth } = member
  return (
    <tr class={isChosen ? 'is-chosen' : undefined}>
      <th scope="row" style={{ '--depth': depth }}>
        <label>
          <input type="radio" name="member" checked={isChosen} onChange={() => chooseMember(id)} /> {name}
        </label>{' '}
        <a href={linkTo('data', ['members', `${id}`])} aria-label={`Member ${id}`}>
          {id}
        </a>{' '}
        {isTeammate && <span class="tag odd">team</span>}
      </th>
      <td>{role}</td>
      <td>
        <code>{token}</code> <Copy text={token} subject={`the token of ${name}`} />
      </td>
      {lists.flatMap((list) =>
        scopes.map((scope) => (
          <Sight key={`${list} ${scope}`} list={list} scope={scope} id={id} counts={visibility?.[list]} />
        )),
      )}
    </tr>
  )
}

interface SightProps {
  readonly list: (typeof lists)[number]
  readonly scope: keyof ScopeCounts
  readonly id: number
  readonly counts: ScopeCounts | undefined
}

/** Links the number of records that a member sees to these records. */
function Sight({ list, scope, id, counts }: SightProps) {
  return (
    <td class="number" data-label={`${list} ${scope}`}>
      {counts ? (
        <a href={linkTo('data', [list], { member: `${id}`, scope })}>{formatNumber(counts[scope])}</a>
      ) : (
        '…'
      )}
    </td>
  )
}
