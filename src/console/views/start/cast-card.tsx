import { useState } from 'preact/hooks'

import type { Visibility } from '../../../control/visibility.ts'
import { useCast } from '../../parts/cast.ts'
import { Copy } from '../../parts/copy.tsx'
import { Problem } from '../../parts/problem.tsx'
import { showWith } from '../../parts/query.ts'
import { useAnswer } from '../../parts/use-answer.ts'
import { place } from '../../place.ts'
import { MemberRow } from './member-row.tsx'
import { type Found, foundIn, type Sights, sightOf, sightsOf } from './people.ts'

/** How many members of an organization are shown at first. */
const SHOWN = 10

/** Everybody who may call the service, with token and sight. */
export function CastCard() {
  const { organizations, invalidTokens } = useCast()
  const { value, error } = useAnswer<Visibility>({ path: '/_sandbox/visibility' })
  const text = place.value.query.get('filter') ?? ''
  const found = foundIn(organizations, text)
  const sights = sightsOf(value?.items ?? [])
  return (
    <section class="card" aria-labelledby="start-cast">
      <div class="row start-cast-head">
        <div>
          <h2 id="start-cast">The cast</h2>
          <p class="hint">
            Who you may call the service as. By <code>scope</code>, a member sees what is their own, what is
            the team’s, or all of the organization.
          </p>
        </div>
        <label class="field">
          Find a member{' '}
          <input
            type="search"
            value={text}
            placeholder="Name, role, id, token"
            onInput={({ currentTarget }) => showWith({ filter: currentTarget.value })}
          />
        </label>
      </div>
      <Problem error={error} />
      {found.length > 0 ? (
        <table class="start-cast">
          <Head />
          {found.map(({ organization, members }) => (
            <Members key={organization.id} organization={organization} members={members} sights={sights} />
          ))}
        </table>
      ) : (
        organizations.length > 0 && <p class="empty">Nobody is called that.</p>
      )}
      {invalidTokens.length > 0 && (
        <>
          <h3>Tokens that always answer 401</h3>
          <ul class="start-invalid">
            {invalidTokens.map((token) => (
              <li key={token}>
                <code>{token}</code> <Copy text={token} what={`the token ${token}`} />
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

function Members({ organization, members, sights }: Found & { readonly sights: Sights }) {
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
        <MemberRow key={member.token} member={member} sight={sightOf(sights, organization.id, member.id)} />
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
