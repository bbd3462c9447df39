import type { Fault } from '../../../../faults/fault.ts'
import type { FaultProfile, ProfileName } from '../../../../faults/profiles.ts'
import type { Call } from '../../../calls.ts'
import { prepare, routes } from '../../../client.ts'
import { Card } from '../../../components/card.tsx'
import { Problem } from '../../../components/problem.tsx'
import { useChange } from '../../../components/use-calls.ts'
import { useRead } from '../../../components/use-calls.ts'

export interface ListedProfile extends FaultProfile {
  readonly name: ProfileName
}

const listProfiles = prepare('get', routes.faults.profiles)

/** Loads the profiles. Order: from mild to severe. */
export function useProfiles(): readonly ListedProfile[] {
  const { value } = useRead(listProfiles)
  return value?.items ?? []
}

const startProfile = (profile: ProfileName): Call =>
  prepare('post', routes.faults, { query: {}, json: { profile } })

/** Renders the profiles with buttons to start and stop them. */
export function Profiles({ faults }: { readonly faults: readonly Fault[] }) {
  const profiles = useProfiles()
  const { make, error } = useChange()
  return (
    <Card title="Profiles">
      <p class="hint">A profile affects every request until you stop it.</p>
      <Problem error={error} />
      <ul class="fault-profiles">
        {profiles.map(({ name, description }) => {
          const started = faults.find(({ profile }) => profile === name)
          const [verb, call]: [string, Call] = started
            ? ['Stop', prepare('delete', routes.faults[':id'], { param: { id: started.id } })]
            : ['Start', startProfile(name)]
          return (
            <li key={name}>
              <button
                type="button"
                class={started ? 'small danger' : 'small'}
                aria-label={`${verb} ${name}`}
                onClick={() => void make(call, started ? `Stopped ${name}.` : `Started ${name}.`)}
              >
                {verb}
              </button>
              <span>
                <b>{name}</b> {started && <span class="tag warn">active</span>}
                <br />
                <span class="hint">{description}</span>
              </span>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
