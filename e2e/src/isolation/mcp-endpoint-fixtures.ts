import * as c from "@carrel/contracts";
import type { Entry } from "./fixture.ts";

/** The same in every version without a handshake; its reply is an event stream. */
const message = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };

/** What tools do for whom is tested in `apps/standalone/test/wire/mcp-endpoint.int-spec.ts`. */
export const mcpEndpointFixtures: Entry[] = [
  // 406: a client must say that it reads both JSON and event streams.
  [c.serveMcp, { names: [], call: () => ({ body: message }), allowed: [406] }],
  [
    "gateway.mcp.serve-workspace",
    {
      names: ["workspace"],
      call: ({ slug }) => ({ params: { slug }, body: message }),
      allowed: [406],
    },
  ],
];
