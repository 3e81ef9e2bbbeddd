import { linkConnector } from "../link/link.connector.ts";

/** Every connector, by id. */
export const connectors = { link: linkConnector };
