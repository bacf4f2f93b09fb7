import { type Serde, serde } from '@restatedev/restate-sdk'

/** Values travel as JSON. The SDK's own says less about its type than it could. */
export const jsonSerde = <T>(): Serde<T> => serde.json as unknown as Serde<T>
