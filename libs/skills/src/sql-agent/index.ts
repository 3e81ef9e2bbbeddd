export { createSqlAgent } from "./sql-agent.ts";
export { checkSqlConnection } from "./sql-databases.ts";
