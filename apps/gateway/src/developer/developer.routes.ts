import {
  CarrelError,
  checkApiKey,
  createDeveloperInvite,
  createDeveloperUser,
  createInvite,
  createUser,
  deleteDeveloperUser,
  disableDeveloperInvite,
  disableInvite,
  isMultiUserMode,
  issueApiSignInToken,
  issueSignInToken,
  listApiUsers,
  listDeveloperInvites,
  listDeveloperMembers,
  listDeveloperUsers,
  listInvites,
  listMembers,
  listUsers,
  manageDeveloperMembers,
  manageMembers,
  updateDeveloperMembers,
  updateDeveloperPreferences,
  updateDeveloperUser,
  updateMembers,
  updatePreferences,
  updateUser,
  type Args,
  type Operation,
  type Out,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { Authenticator } from "../access/authenticator.ts";
import { CachedAccess } from "../access/cached-access.ts";
import { Route, type Call } from "../http/route.ts";
import { UserDeletionRoutes } from "../picture/user-deletion.routes.ts";

/** The developer API of wire-contract 9.1 and 9.2: the web app's own operations, asked by a key. */
@Injectable()
export class DeveloperRoutes {
  constructor(
    private readonly requests: RequestClient,
    private readonly authenticator: Authenticator,
    private readonly access: CachedAccess,
    private readonly userDeletion: UserDeletionRoutes,
  ) {}

  /** The guard has checked the key. */
  @Route(checkApiKey)
  check(): Promise<Out<typeof checkApiKey>> {
    return Promise.resolve({ authenticated: true });
  }

  @Route(isMultiUserMode)
  async mode(): Promise<Out<typeof isMultiUserMode>> {
    return { isMultiUser: (await this.authenticator.mode()).MultiUserMode };
  }

  @Route(listApiUsers)
  async names({ scope }: Call<typeof listApiUsers>): Promise<Out<typeof listApiUsers>> {
    const { users } = await this.requests.request(listUsers, {}, { scope });
    return { users: users.map(({ id, username, role }) => ({ id, username, role })) };
  }

  @Route(issueApiSignInToken)
  issueToken(call: Call<typeof issueApiSignInToken>): Promise<Out<typeof issueApiSignInToken>> {
    return this.write(issueSignInToken, { userId: call.input.id }, call);
  }

  @Route(listDeveloperUsers)
  users({ scope }: Call<typeof listDeveloperUsers>): Promise<Out<typeof listDeveloperUsers>> {
    return this.requests.request(listUsers, {}, { scope });
  }

  /** Here a refusal is a status of its own; the web app's route says it with 200. */
  @Route(createDeveloperUser)
  async createUser(
    call: Call<typeof createDeveloperUser>,
  ): Promise<Out<typeof createDeveloperUser>> {
    const created = await this.write(createUser, call.input, call);
    if (created.user === null)
      throw new CarrelError("BAD_INPUT", created.error ?? "The user could not be made.");
    return created;
  }

  @Route(updateDeveloperUser)
  updateUser(call: Call<typeof updateDeveloperUser>): Promise<Out<typeof updateDeveloperUser>> {
    return this.write(updateUser, call.input, call);
  }

  @Route(deleteDeveloperUser)
  deleteUser(call: Call<typeof deleteDeveloperUser>): Promise<Out<typeof deleteDeveloperUser>> {
    return this.userDeletion.delete(call);
  }

  @Route(listDeveloperInvites)
  invites({ scope }: Call<typeof listDeveloperInvites>): Promise<Out<typeof listDeveloperInvites>> {
    return this.requests.request(listInvites, {}, { scope });
  }

  @Route(createDeveloperInvite)
  createInvite(
    call: Call<typeof createDeveloperInvite>,
  ): Promise<Out<typeof createDeveloperInvite>> {
    return this.write(createInvite, call.input, call);
  }

  @Route(disableDeveloperInvite)
  async disableInvite(
    call: Call<typeof disableDeveloperInvite>,
  ): Promise<Out<typeof disableDeveloperInvite>> {
    const outcome = await this.write(disableInvite, call.input, call);
    if (!outcome.success && outcome.error === "Invite not found.")
      throw new CarrelError("NOT_FOUND", outcome.error);
    return outcome;
  }

  @Route(listDeveloperMembers)
  members({
    input,
    scope,
  }: Call<typeof listDeveloperMembers>): Promise<Out<typeof listDeveloperMembers>> {
    return this.requests.request(listMembers, input, { scope });
  }

  @Route(updateDeveloperMembers)
  updateMembers(
    call: Call<typeof updateDeveloperMembers>,
  ): Promise<Out<typeof updateDeveloperMembers>> {
    return this.write(updateMembers, call.input, call);
  }

  @Route(manageDeveloperMembers)
  async manageMembers(
    call: Call<typeof manageDeveloperMembers>,
  ): Promise<Out<typeof manageDeveloperMembers>> {
    const { users } = await this.write(manageMembers, call.input, call);
    return { success: true, error: null, users };
  }

  @Route(updateDeveloperPreferences)
  updatePreferences(
    call: Call<typeof updateDeveloperPreferences>,
  ): Promise<Out<typeof updateDeveloperPreferences>> {
    return this.write(updatePreferences, call.input, call);
  }

  private async write<Op extends Operation>(
    operation: Op,
    input: Args<Op>,
    { scope, request }: Pick<Call, "scope" | "request">,
  ): Promise<Out<Op>> {
    const output = await this.requests.request(operation, input, {
      scope,
      idempotencyKey: request.id,
    });
    this.access.dropAfter(operation.service, scope);
    return output;
  }
}
