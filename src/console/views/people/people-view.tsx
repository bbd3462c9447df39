import type { MemberVisibility } from '../../../explain/visibility.ts'
import { prepare, routes } from '../../client.ts'
import { chooseMember, useCast } from '../../components/cast.tsx'
import { Copy } from '../../components/code.tsx'
import { formatNumber } from '../../components/format.tsx'
import { Loaded, Problem } from '../../components/problem.tsx'
import { useRead } from '../../components/use-calls.ts'
import { linkTo, place, setQuery } from '../../place.ts'
import { type Placed, listByManager } from './hierarchy.ts'

/** The lists that have a scope. Order: as shown. */
const lists = ['customers', 'signals'] as const
const scopes = ['mine', 'team', 'all'] as const

/** The most members to read. */
const READ = '250'

/** Lists everyone below their managers, with their tokens and how much they see. */
export function PeopleView() {
  const { organizations, members, invalidTokens, member, error } = useCast()
  const visibility = useRead(prepare('get', routes.visibility))
  const records = useRead(
    prepare('get', routes.data[':collection'], { param: { collection: 'members' }, query: { limit: READ } }),
  )
  const text = place.value.query.get('filter') ?? ''
  const managers = new Map(records.value?.items.map(({ id, managerId }) => [id, Number(managerId)]))
  const found = organizations.flatMap(({ id, name }) => {
    const own = members.filter(({ organizationId }) => organizationId === id)
    const shown = listByManager(own, managers).filter((one) => matches(one, text))
    return shown.length > 0 ? [{ id, name, shown }] : []
  })
  return (
    <>
      <div class="row view-head">
        <h1>People</h1>
        <p class="hint">
          Everyone below their manager, with the token to call as them. Select a member to see the data with
          their eyes.
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
      <Problem error={error ?? visibility.error} />
      <Loaded isTable state={records}>
        {() =>
          found.length === 0 ? (
            <p class="empty">No members match. Search for another name, role, id or token.</p>
          ) : (
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
                      sees={visibility.value?.items.find(({ memberId }) => memberId === one.id)}
                    />
                  ))}
                </tbody>
              ))}
            </table>
          )
        }
      </Loaded>
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
        {['Member', 'Role', 'Token'].map((name) => (
          <th key={name} scope="col" rowSpan={2}>
            {name}
          </th>
        ))}
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
      {lists.flatMap((list) =>
        scopes.map((scope) => (
          <td key={`${list} ${scope}`} class="number" data-label={scope === 'mine' ? `${list}: mine` : scope}>
            <a href={linkTo('data', [list], { member: `${id}`, scope })}>
              {sees ? formatNumber(sees[list][scope]) : '…'}
            </a>
          </td>
        )),
      )}
    </tr>
  )
}
