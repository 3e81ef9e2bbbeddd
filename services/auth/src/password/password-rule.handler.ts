import { getPasswordRules, type Out } from "@carrel/contracts";
import { Handle } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { PasswordRules } from "./password-rules.ts";

/** Says what passwords of accounts must be like. */
@Controller()
export class PasswordRuleHandler {
  constructor(private readonly rules: PasswordRules) {}

  @Handle(getPasswordRules)
  describe(): Promise<Out<typeof getPasswordRules>> {
    return Promise.resolve(this.rules.describe());
  }
}
