import { CarrelError, type Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { Attempts } from "../throttle/attempts.ts";
import { UserRepository } from "../user/user.repository.ts";
import type { User } from "../user/user.entity.ts";
import { PasswordHasher } from "./password-hasher.ts";

/**
 * Changing how an account is accessed requires its password again, so that a hijacked session isn't
 * enough.
 */
@Injectable()
export class OwnPassword {
  constructor(
    private readonly users: UserRepository,
    private readonly hasher: PasswordHasher,
    private readonly attempts: Attempts,
  ) {}

  /**
   * Returns the signed-in user. PASSWORD_WRONG, counted against this session; BAD_INPUT if the
   * account has no password.
   */
  async check(scope: Scope, password: string): Promise<User> {
    const user = await this.signedIn(scope);
    const { passwordHash } = user;
    if (passwordHash === null) throw new CarrelError("password.none");
    return this.attempts.count(
      { kind: "login", address: scope.address, known: `session:${scope.principal.sessionId}` },
      async () => {
        if (!(await this.hasher.verify(passwordHash, password)))
          throw new CarrelError("password.wrong");
        return user;
      },
    );
  }

  async signedIn({ principal }: Scope): Promise<User> {
    const user =
      principal.kind === "user" && principal.userId !== null
        ? await this.users.findById(principal.userId)
        : null;
    if (user === null) throw new CarrelError("access.forbidden");
    return user;
  }
}
