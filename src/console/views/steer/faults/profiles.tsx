import type { Fault } from '../../../../control/faults/faults.ts'
import type { FaultProfile, ProfileName } from '../../../../control/faults/profiles.ts'
import type { Call } from '../../../calls.ts'
import { Card } from '../../../parts/card.tsx'
import { Problem } from '../../../parts/problem.tsx'
import { useChange } from '../../../parts/use-change.ts'
import { Curls } from '../curls.tsx'
import { useOnce } from '../use-once.ts'

export interface ListedProfile extends FaultProfile {
  readonly name: ProfileName
}

/** The profiles that there are. Order: from what is nearly well to what is dead. */
export function useProfiles(): readonly ListedProfile[] {
  const { value } = useOnce<{ readonly items: readonly ListedProfile[] }>('/_sandbox/faults/profiles')
  return value?.items ?? []
}

const starting = (profile: ProfileName): Call => ({
  method: 'POST',
  path: '/_sandbox/faults',
  body: { profile },
})

/** Named ways to misbehave, started and stopped by a click. */
export function Profiles({ faults }: { readonly faults: readonly Fault[] }) {
  const profiles = useProfiles()
  const { make, error } = useChange()
  return (
    <Card title="Profiles">
      <p class="hint">Every request is concerned, until the profile is stopped.</p>
      <Problem error={error} />
      <ul class="fault-profiles">
        {profiles.map(({ name, description }) => {
          const started = faults.find(({ profile }) => profile === name)
          const [verb, call]: [string, Call] = started
            ? ['Stop', { method: 'DELETE', path: `/_sandbox/faults/${started.id}` }]
            : ['Start', starting(name)]
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
                <b>{name}</b> {started && <span class="tag warn">in force</span>}
                <br />
                <span class="hint">{description}</span>
              </span>
            </li>
          )
        })}
      </ul>
      {profiles[0] && (
        <Curls
          calls={{
            List: { method: 'GET', path: '/_sandbox/faults/profiles' },
            [`Start ${profiles[0].name}`]: starting(profiles[0].name),
          }}
        />
      )}
    </Card>
  )
}
