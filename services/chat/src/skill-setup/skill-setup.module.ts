import {
  CarrelError,
  checkDatabase,
  fillDatabasePassword,
  readSqlAddress,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, RequestClient, type RequestContext } from "@carrel/messaging";
import { checkSqlConnection } from "@carrel/skills";
import { Controller, Module } from "@nestjs/common";
import { OutlookSignInHandler } from "./outlook-sign-in.handler.ts";

/** Databases that an admin is about to save. */
@Controller()
class DatabaseCheckHandler {
  constructor(private readonly requests: RequestClient) {}

  @Handle(checkDatabase)
  async check(
    input: In<typeof checkDatabase>,
    { scope }: RequestContext,
  ): Promise<Out<typeof checkDatabase>> {
    let connectionString: string;
    try {
      ({ connectionString } = await this.requests.request(fillDatabasePassword, input, { scope }));
    } catch (error) {
      if (error instanceof CarrelError && error.kind === "SETTING_REFUSED")
        return { fault: error.toFault() };
      throw error;
    }
    const { engine } = input;
    const name = readSqlAddress({ engine, connectionString })?.database || engine;
    return {
      fault: await checkSqlConnection({ name, engine, connectionString, schema: null }),
    };
  }
}

@Module({ controllers: [DatabaseCheckHandler, OutlookSignInHandler] })
export class SkillSetupModule {}
