// Passes the `baggage` of a page's request on to the calls that the server makes.
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici'
import { NodeSDK } from '@opentelemetry/sdk-node'

new NodeSDK({ instrumentations: [new UndiciInstrumentation()] }).start()
