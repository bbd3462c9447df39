declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  /** The props that Swagger UI passes to the replaced components, and those to elements. */
  export interface Props {
    /** A key of the document that begins with `x-`. */
    readonly xKey?: string
    readonly xVal?: unknown
    /** The path of an operation in the document. */
    readonly specPath?: Iterable<string>
    readonly schema?: Readonly<Record<string, unknown>>
    readonly className?: string
    readonly role?: string
    readonly tabIndex?: number
  }
  export type Component = (props: Props) => Element | null

  export interface Element {
    readonly type: unknown
  }

  export interface System {
    readonly React: {
      readonly Fragment: string
      readonly createElement: (
        type: string | Component,
        props: Props | null,
        ...children: readonly (Element | string | null)[]
      ) => Element
    }
    readonly specSelectors: {
      /** The document as an Immutable map of maps. */
      specJson(): { getIn(path: readonly (string | number)[]): unknown }
    }
    readonly specActions: {
      changeParamByIdentity(operation: readonly string[], parameter: unknown, value: string): void
    }
  }

  export interface Plugin {
    readonly components?: Readonly<Record<string, Component>>
    readonly wrapComponents?: Readonly<Record<string, (original: Component, system: System) => Component>>
  }

  /** A call that the page is about to make. */
  export interface Call {
    headers: Record<string, string>
  }

  export interface SwaggerUI {
    getSystem(): System
    preauthorizeApiKey(scheme: string, token: string): void
  }

  function create(options: {
    readonly domNode: HTMLElement
    readonly spec: object
    readonly plugins: readonly ((system: System) => Plugin)[]
    readonly requestInterceptor: (call: Call) => Call
    readonly onComplete: () => void
    readonly [option: string]: unknown
  }): SwaggerUI
  export default create
}
