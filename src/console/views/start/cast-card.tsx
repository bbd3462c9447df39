import { useState } from 'preact/hooks'

import type { MemberVisibility, ScopeCounts } from '../../../explain/visibility.ts'
import type { Credentials } from '../../../sessions/credentials.ts'
import { prepare, routes } from '../../client.ts'
import { useCast } from '../../components/cast.ts'
import { Copy } from '../../components/code.tsx'
import { formatNumber } from '../../components/format.tsx'
import { Problem } from '../../components/problem.tsx'
import { useRead } from '../../components/use-calls.ts'
import { place, setQuery } from '../../place.ts'

/** The number of members to show at first. */
const SHOWN = 10

/** Lists the members of the cast, with their tokens and the records that they see. */
export function CastCard() {
  const { organizations, invalidTokens } = useCast()
  const { value, error } = useRead(prepare('get', routes.visibility))
  const text = place.value.query.get('filter') ?? ''
  const found = searchMembers(organizations, text)
  const visibilities = indexVisibility(value?.items ?? [])
  return (
    <section class="card" aria-labelledby="start-cast">
      <div class="row start-cast-head">
        <div>
          <h2 id="start-cast">The cast</h2>
          <p class="hint">
            The members you can call the service as. <code>scope</code> selects a member’s own records (mine),
            the team’s (team), or those of the whole organization (all).
          </p>
        </div>
        <label class="field">
          Find a member{' '}
          <input
            type="search"
            value={text}
            placeholder="Name, role, id, token"
            onInput={({ currentTarget }) => setQuery({ filter: currentTarget.value })}
          />
        </label>
      </div>
      <Problem error={error} />
      {found.length > 0 ? (
        <table class="start-cast">
          <Head />
          {found.map(({ organization, members }) => (
            <Members
              key={organization.id}
              organization={organization}
              members={members}
              visibilities={visibilities}
            />
          ))}
        </table>
      ) : (
        organizations.length > 0 && <p class="empty">No members match.</p>
      )}
      {invalidTokens.length > 0 && (
        <>
          <h3>Tokens that always get 401</h3>
          <ul class="start-invalid">
            {invalidTokens.map((token) => (
              <li key={token}>
                <code>{token}</code> <Copy text={token} subject={`the token ${token}`} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function Head() {
  return (
    <thead>
      <tr>
        <th scope="col" rowSpan={2}>
          Member
        </th>
        <th scope="col" rowSpan={2}>
          Token
        </th>
        <th scope="col" rowSpan={2}>
          Role
        </th>
        <th scope="col" rowSpan={2} class="number">
          Id
        </th>
        <th scope="colgroup" colSpan={3} class="start-sight">
          Customers
        </th>
        <th scope="colgroup" colSpan={3} class="start-sight">
          Signals
        </th>
      </tr>
      <tr>
        {['customers', 'signals'].flatMap((name) =>
          ['mine', 'team', 'all'].map((scope) => (
            <th key={`${name} ${scope}`} scope="col" class="number">
              {scope}
            </th>
          )),
        )}
      </tr>
    </thead>
  )
}

function Members({
  organization,
  members,
  visibilities,
}: MemberGroup & { readonly visibilities: VisibilityIndex }) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? members : members.slice(0, SHOWN)
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={10}>
          {organization.name} <code>{organization.id}</code>
        </th>
      </tr>
      {shown.map((member) => (
        <MemberRow
          key={member.token}
          member={member}
          visibility={findVisibility(visibilities, organization.id, member.id)}
        />
      ))}
      {members.length > SHOWN && (
        <tr>
          <td colSpan={10}>
            <button type="button" class="small" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
              {isWhole ? `Show ${SHOWN}` : `Show all ${members.length}`} of {organization.name}
            </button>
          </td>
        </tr>
      )}
    </tbody>
  )
}

interface MemberRowProps {
  readonly member: MemberGroup['members'][number]
  /** Undefined until loaded. */
  readonly visibility: MemberVisibility | undefined
}

/** Renders a member of the cast, to select. */
function MemberRow({ member, visibility }: MemberRowProps) {
  const { member: chosen, choose } = useCast()
  const { id, name, role, token } = member
  const isChosen = token === chosen?.token
  return (
    <tr class={isChosen ? 'is-chosen' : undefined}>
      <th scope="row">
        <label>
          <input type="radio" name="cast" checked={isChosen} onChange={() => choose(token)} /> {name}
        </label>
      </th>
      <td class="start-token">
        <code>{token}</code> <Copy text={token} subject={`the token of ${name}`} />
      </td>
      <td class="start-role">{role}</td>
      <td class="number start-id">{id}</td>
      <Counts of="Customers" counts={visibility?.customers} />
      <Counts of="Signals" counts={visibility?.signals} />
    </tr>
  )
}

const scopes = ['mine', 'team', 'all'] as const

function Counts({ of, counts }: { readonly of: string; readonly counts: ScopeCounts | undefined }) {
  return (
    <>
      {scopes.map((scope) => (
        <td key={scope} class="number" data-of={scope === 'mine' ? of : undefined} data-scope={scope}>
          {counts ? formatNumber(counts[scope]) : '…'}
        </td>
      ))}
    </>
  )
}

type Organization = Credentials['organizations'][number]

/** The members of an organization that match a search. */
export interface MemberGroup {
  readonly organization: Organization
  /** Order: as in the credentials. */
  readonly members: Organization['members']
}

/** Finds the members that contain every word of a text, by organization; all if it is empty. */
function searchMembers(organizations: readonly Organization[], text: string): readonly MemberGroup[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return organizations.flatMap((organization) => {
    const members = organization.members.filter(({ id, name, role, token }) => {
      const all = `${id} ${name} ${role} ${token} ${organization.name}`.toLowerCase()
      return words.every((word) => all.includes(word))
    })
    return members.length > 0 ? [{ organization, members }] : []
  })
}

/** Visible counts by member. */
export type VisibilityIndex = ReadonlyMap<string, MemberVisibility>

/** Indexes the counts by member. */
function indexVisibility(items: readonly MemberVisibility[]): VisibilityIndex {
  return new Map(items.map((item) => [`${item.organizationId} ${item.memberId}`, item]))
}

/** Returns the counts of a member; undefined if unknown. */
function findVisibility(
  visibilities: VisibilityIndex,
  organizationId: string,
  memberId: number,
): MemberVisibility | undefined {
  return visibilities.get(`${organizationId} ${memberId}`)
}
