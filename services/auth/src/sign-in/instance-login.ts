import { CarrelError, type In, type Out, type requestToken } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { InstanceAccessRepository } from "../access/instance-access.repository.ts";
import { PasswordHasher } from "../password/password-hasher.ts";
import { SessionRepository } from "../session/session.repository.ts";
import { Attempts } from "../throttle/attempts.ts";
import { KnownDevices } from "../throttle/known-device.ts";
import { LoginLog } from "./login-log.ts";

/** Sign-in with the password of an instance without accounts. */
@Injectable()
export class InstanceLogin {
  constructor(
    private readonly dataSource: DataSource,
    private readonly access: InstanceAccessRepository,
    private readonly sessions: SessionRepository,
    private readonly hasher: PasswordHasher,
    private readonly attempts: Attempts,
    private readonly devices: KnownDevices,
    private readonly log: LoginLog,
  ) {}

  /** PASSWORD_NOT_SET, PASSWORD_WRONG, TOO_MANY_ATTEMPTS, BUSY. */
  async signIn(input: In<typeof requestToken>): Promise<Out<typeof requestToken>> {
    const { passwordHash } = await this.access.get();
    if (passwordHash === null) throw new CarrelError("password.instance-not-set");
    const known = this.devices.identify({ id: null, passwordHash }, input.device);
    return this.attempts.count(
      { kind: "login", address: input.address, account: "", known },
      async () => {
        const isRight = await this.hasher.verify(passwordHash, input.password ?? "");
        const signedIn =
          isRight &&
          (await this.dataSource.transaction(async (manager) => {
            // The password may have changed while this one was being verified.
            if ((await this.access.lock(manager)).passwordHash !== passwordHash) return null;
            await this.log.record(input, "login_event", null, manager);
            return this.sessions.create(manager, {
              userId: null,
              method: "password",
              address: input.address,
              userAgent: input.userAgent,
            });
          }));
        if (signedIn)
          return {
            valid: true,
            token: signedIn.token,
            message: null,
            device: this.devices.prove({ id: null, passwordHash }, input.device),
          };
        await this.log.record(input, "failed_login_invalid_password", null);
        throw new CarrelError("password.instance-wrong");
      },
    );
  }
}
