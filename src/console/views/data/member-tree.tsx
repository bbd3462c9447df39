import { useState } from 'preact/hooks'

import type { Settings } from '../../../contract/choices.ts'
import type { MemberVisibility, ScopeCounts } from '../../../explain/visibility.ts'
import { prepare, routes } from '../../client.ts'
import { useCast } from '../../components/cast.ts'
import { formatNumber } from '../../components/format.tsx'
import { Problem } from '../../components/problem.tsx'
import { useRead } from '../../components/use-calls.ts'
import { linkTo } from '../../place.ts'
import { formatCount } from './labels.ts'
import { type TreeMember, getTeam, buildTree } from './tree.ts'
import { useRecords } from './use-records.ts'

/** The number of members up to which the tree is expanded at first. */
const UNFOLDED = 40

/**
 * Renders the manager tree of the selected member's organization, with the team and the customers that each member
 * sees.
 */
export function MemberTree({ team }: { readonly team: Settings['team'] }) {
  const { member, organizations, choose } = useCast()
  const members = useRecords(['members'], member?.organizationId).get('members')?.items ?? []
  const { value: visibility, error } = useRead(prepare('get', routes.visibility))
  const teammates = member ? getTeam(members, member.id, team) : new Set<number>()
  const visibilities = new Map(visibility?.items.map((item) => [item.memberId, item]))
  const own = member && visibilities.get(member.id)
  const cast = organizations.find(({ id }) => id === member?.organizationId)?.members ?? []
  const tree: TreeProps = {
    branches: buildTree(members),
    chosen: member?.id,
    teammates,
    visibilities,
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
          {formatCount(own.customers.all, 'customers')}, <ScopeLink scope="team" count={own.customers.team} />{' '}
          and <ScopeLink scope="mine" count={own.customers.mine} />. Choose another member to see what they
          see.
        </p>
      )}
      <section class="card data-tree" aria-label="Members">
        <Tree {...tree} />
      </section>
    </>
  )
}

const teamText: Readonly<Record<Settings['team'], string>> = {
  peers: 'everyone with the same manager',
  branch: 'the manager and everyone below',
}

function ScopeLink({ scope, count }: { readonly scope: 'team' | 'mine'; readonly count: number }) {
  return (
    <a href={linkTo('data', ['customers'], new URLSearchParams({ scope }))}>
      {formatNumber(count)} are {scope === 'team' ? 'the team’s' : 'their own'}
    </a>
  )
}

interface TreeProps {
  readonly branches: readonly TreeMember[]
  readonly chosen: number | undefined
  readonly teammates: ReadonlySet<number>
  readonly visibilities: ReadonlyMap<number, MemberVisibility>
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
  const { chosen, teammates, visibilities, isUnfolded, onChoose } = common
  const { id, name, title, reports } = branch
  const [isOpen, setOpen] = useState(isUnfolded || hasDescendantIn(branch, teammates))
  const visible = visibilities.get(id)
  return (
    <li>
      <div class={teammates.has(id) ? 'data-member is-in-team' : 'data-member'}>
        {reports.length > 0 ? (
          <button
            type="button"
            class="small data-fold"
            aria-expanded={isOpen}
            aria-label={`Reports of ${name}`}
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
          <a href={linkTo('data', ['members', String(id)])}>member {id}</a> <span class="hint">{title}</span>{' '}
          {id === chosen && <span class="tag good">selected</span>}{' '}
          {teammates.has(id) && <span class="tag odd">team</span>}
        </span>
        {visible && <ScopeBar counts={visible.customers} />}
      </div>
      {reports.length > 0 && isOpen && <Tree {...common} branches={reports} />}
    </li>
  )
}

/** Reports whether a member has a report, at any level, among some ids. */
const hasDescendantIn = ({ reports }: TreeMember, ids: ReadonlySet<number>): boolean =>
  reports.some((report) => ids.has(report.id) || hasDescendantIn(report, ids))

const WIDTH = 120

/** Renders the number of customers in each scope as a bar. */
function ScopeBar({ counts: { mine, team, all } }: { readonly counts: ScopeCounts }) {
  const getWidth = (count: number): number => (all === 0 ? 0 : (WIDTH * count) / all)
  return (
    <span class="data-scope">
      <svg width={WIDTH} height="10" viewBox={`0 0 ${WIDTH} 10`} aria-hidden="true">
        <rect class="data-all" width={WIDTH} height="10" rx="2" />
        <rect class="data-team" width={getWidth(team)} height="10" rx="2" />
        <rect class="data-mine" y="2" width={getWidth(mine)} height="6" rx="2" />
      </svg>
      <span class="hint">
        mine {formatNumber(mine)}, team {formatNumber(team)}, all {formatNumber(all)}
      </span>
    </span>
  )
}
