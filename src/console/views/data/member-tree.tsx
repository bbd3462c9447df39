import { useState } from 'preact/hooks'

import type { Settings } from '../../../contract/choices.ts'
import type { MemberVisibility, Visibility } from '../../../control/visibility.ts'
import { useCast } from '../../parts/cast.ts'
import { numberText } from '../../parts/number.ts'
import { Problem } from '../../parts/problem.tsx'
import { useAnswer } from '../../parts/use-answer.ts'
import { addressOf } from '../../place.ts'
import { ScopeBar } from './scope-bar.tsx'
import { teamOf, type TreeMember, treeOf } from './tree.ts'
import { useRecords } from './use-records.ts'
import { counted } from './words.ts'

/** Up to how many members all of them are unfolded at first. */
const UNFOLDED = 40

/** Who reports to whom in the chosen member's organization, who is in the team, and how much each sees. */
export function MemberTree({ team }: { readonly team: Settings['team'] }) {
  const { member, organizations, choose } = useCast()
  const members = useRecords(['members'], member?.organizationId).of('members')?.items ?? []
  const { value: visibility, error } = useAnswer<Visibility>({ path: '/_sandbox/visibility' })
  const teammates = member ? teamOf(members, member.id, team) : new Set<number>()
  const sights = new Map(visibility?.items.map((sight) => [sight.memberId, sight]))
  const own = member && sights.get(member.id)
  const cast = organizations.find(({ id }) => id === member?.organizationId)?.members ?? []
  const tree: TreeProps = {
    branches: treeOf(members),
    chosen: member?.id,
    teammates,
    sights,
    isUnfolded: members.length <= UNFOLDED,
    onChoose: (id) => {
      const token = cast.find((one) => one.id === id)?.token
      if (token !== undefined) choose(token)
    },
  }
  return (
    <>
      <div class="row data-head">
        <h1>Manager tree</h1>
        <p class="hint">of {member?.organizationName}</p>
      </div>
      <Problem error={error} />
      {member && own && (
        <p>
          {member.name} is in a team of {teammates.size}: {teamText[team]}. Of{' '}
          {counted(own.customers.all, 'customers')}, <Scoped scope="team" count={own.customers.team} /> and{' '}
          <Scoped scope="mine" count={own.customers.mine} />. Choose somebody else to look as they do.
        </p>
      )}
      <section class="card data-tree" aria-label="Members">
        <Tree {...tree} />
      </section>
    </>
  )
}

const teamText: Readonly<Record<Settings['team'], string>> = {
  peers: 'all who have the same manager',
  branch: 'the manager and everybody below',
}

function Scoped({ scope, count }: { readonly scope: 'team' | 'mine'; readonly count: number }) {
  return (
    <a href={addressOf('data', ['customers'], new URLSearchParams({ scope }))}>
      {numberText(count)} are {scope === 'team' ? 'the team’s' : 'the member’s own'}
    </a>
  )
}

interface TreeProps {
  readonly branches: readonly TreeMember[]
  readonly chosen: number | undefined
  readonly teammates: ReadonlySet<number>
  readonly sights: ReadonlyMap<number, MemberVisibility>
  readonly isUnfolded: boolean
  readonly onChoose: (id: number) => void
}

function Tree({ branches, ...common }: TreeProps) {
  return (
    <ul>
      {branches.map((branch) => (
        <Branch key={branch.id} {...common} branch={branch} />
      ))}
    </ul>
  )
}

function Branch({ branch, ...common }: Omit<TreeProps, 'branches'> & { readonly branch: TreeMember }) {
  const { chosen, teammates, sights, isUnfolded, onChoose } = common
  const { id, name, title, reports } = branch
  const [isOpen, setOpen] = useState(isUnfolded || hasWithin(branch, teammates))
  const sight = sights.get(id)
  return (
    <li>
      <div class={teammates.has(id) ? 'data-member is-in-team' : 'data-member'}>
        {reports.length > 0 ? (
          <button
            type="button"
            class="small data-fold"
            aria-expanded={isOpen}
            aria-label={`Those below ${name}`}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? '−' : '+'}
          </button>
        ) : (
          <span class="data-fold" />
        )}
        <span class="data-who">
          <button type="button" class="small" aria-pressed={id === chosen} onClick={() => onChoose(id)}>
            {name}
          </button>{' '}
          <a href={addressOf('data', ['members', String(id)])}>member {id}</a>{' '}
          <span class="hint">{title}</span> {id === chosen && <span class="tag good">chosen</span>}{' '}
          {teammates.has(id) && <span class="tag odd">team</span>}
        </span>
        {sight && <ScopeBar counts={sight.customers} />}
      </div>
      {reports.length > 0 && isOpen && <Tree {...common} branches={reports} />}
    </li>
  )
}

/** Says that somebody below a member is one of some. */
const hasWithin = ({ reports }: TreeMember, ids: ReadonlySet<number>): boolean =>
  reports.some((report) => ids.has(report.id) || hasWithin(report, ids))
