import {
  CarrelError,
  findPicture,
  setPicture,
  updateProfile,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller, Module } from "@nestjs/common";
import { DataSource } from "typeorm";
import { AccessChanges, AccessModule } from "../access/instance-access.repository.ts";
import { CredentialModule, Credentials } from "../credential/credentials.ts";
import { EventLog, EventLogModule } from "../event-log/event-log.ts";
import { NewPasswords } from "../password/password-rules.ts";
import { PasswordModule } from "../password/password.module.ts";
import { describeChange, refuseBio, refuseUsername } from "../user/user-fields.ts";
import { UserModule, UserRepository, type UserChange } from "../user/user.repository.ts";
import { UserHandler } from "./user.handler.ts";

/** Languages existing clients offer (specification 2, languages). */
const languages = [
  "en",
  "zh",
  "zh-tw",
  "es",
  "de",
  "fr",
  "ko",
  "ru",
  "it",
  "pt",
  "he",
  "nl",
  "vi",
  "fa",
  "tr",
  "ar",
  "da",
];
const gone = (): CarrelError => new CarrelError("user.own-missing");

/** The caller's own account.  */
@Controller()
class ProfileHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UserRepository,
    private readonly accessChanges: AccessChanges,
    private readonly credentials: Credentials,
    private readonly passwords: NewPasswords,
    private readonly events: EventLog,
  ) {}

  /**
   * A new password needs the owner's confirmation and ends all other sessions and the extension
   * keys; the caller's session is kept.
   */
  @Handle(updateProfile)
  async update(
    input: In<typeof updateProfile>,
    { scope }: RequestContext,
  ): Promise<Out<typeof updateProfile>> {
    const id = scope.principal.userId;
    if (id === null) throw gone();
    const change = plan(input);
    const password = input.password ?? "";
    if (Object.keys(change).length === 0 && password === "")
      throw new CarrelError("user.nothing-to-update");
    if (password !== "") {
      this.passwords.check(password);
      await this.passwords.confirmOwner(scope, {
        password: input.currentPassword,
        code: input.code,
      });
    }
    const passwordHash = password === "" ? null : await this.passwords.hash(password);

    await this.dataSource.transaction(async (manager) => {
      const before = await this.users.lock(manager, id);
      if (before === null) throw gone();
      const name =
        change.username !== undefined && change.username !== before.username
          ? refuseUsername(change.username)
          : null;
      if (name !== null) throw name;
      await this.users.update(scope, manager, id, {
        ...change,
        ...(passwordHash !== null && { passwordHash }),
      });
      const changes = describeChange(before, change);
      if (Object.keys(changes).length > 0)
        await this.events.record(manager, scope, "user_updated", {
          userId: id,
          username: before.username,
          changes,
        });
      if (passwordHash === null) return;
      await this.credentials.revokeOthers(manager, id, scope.principal.sessionId);
      await this.events.record(manager, scope, "password_changed", {
        userId: id,
        username: before.username,
      });
      await this.accessChanges.record(manager, id);
    });
    if (passwordHash !== null) await this.accessChanges.announce(id);
    return { success: true, error: null };
  }

  /** Users can see only their own picture; the single-user instance has none. */
  @Handle(findPicture)
  async findPicture(
    { id }: In<typeof findPicture>,
    { scope }: RequestContext,
  ): Promise<Out<typeof findPicture>> {
    if (scope.principal.userId !== id) return { key: null };
    return { key: (await this.users.findById(id))?.pictureKey ?? null };
  }

  @Handle(setPicture)
  async setPicture(
    { key }: In<typeof setPicture>,
    { scope }: RequestContext,
  ): Promise<Out<typeof setPicture>> {
    const id = scope.principal.userId;
    if (id === null) throw new CarrelError("access.forbidden");
    return this.dataSource.transaction(async (manager) => {
      const user = await this.users.lock(manager, id);
      if (user === null) throw new CarrelError("user.unknown");
      await this.users.update(scope, manager, id, { pictureKey: key });
      // Setting the same key again (on redelivery) releases nothing.
      return { previous: user.pictureKey === key ? null : user.pictureKey };
    });
  }
}

/** Columns to change; absent and null fields and an empty name change nothing. */
function plan({ username, bio, theme, userLang }: In<typeof updateProfile>): UserChange {
  const change: UserChange = {};
  if (typeof username === "string" && username !== "") change.username = username;
  if (typeof bio === "string") {
    const refusal = refuseBio(bio);
    if (refusal !== null) throw refusal;
    change.bio = bio;
  }
  if (typeof theme === "string") change.theme = theme === "system" ? null : theme;
  if (typeof userLang === "string") {
    if (!languages.includes(userLang)) throw new CarrelError("user.language-unknown");
    change.language = userLang;
  }
  return change;
}

@Module({
  imports: [AccessModule, CredentialModule, EventLogModule, PasswordModule, UserModule],
  controllers: [ProfileHandler, UserHandler],
})
export class AccountModule {}
