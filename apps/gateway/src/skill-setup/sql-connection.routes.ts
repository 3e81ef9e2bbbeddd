import { checkDatabase, isErrorCode, validateSqlConnection, type Out } from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { setFault } from "../http/fault-header.ts";
import { Route, type Call } from "../http/route.ts";

@Injectable()
export class SqlConnectionRoutes {
  constructor(private readonly requests: RequestClient) {}

  /** The wire's sentence doesn't say why a connection failed; the header does. */
  @Route(validateSqlConnection)
  async validate({
    input,
    scope,
    reply,
  }: Call<typeof validateSqlConnection>): Promise<Out<typeof validateSqlConnection>> {
    const { fault } = await this.requests.request(checkDatabase, input, { scope });
    if (fault === null) return { success: true, error: null };
    const { code, params = {} } = fault;
    if (isErrorCode(code)) setFault(reply, { code, params });
    return {
      success: false,
      error: `Unable to connect to ${input.engine}. Please verify your connection details.`,
    };
  }
}
