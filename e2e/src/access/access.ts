import { Api } from "../api.ts";

export const password = "Library card 42!";

export interface Login {
  valid: boolean;
  user?: Record<string, unknown> | null;
  token: string | null;
  message: string | null;
  recoveryCodes?: string[];
}
export interface Outcome {
  success: boolean;
  error: string | null;
}

/** Clients of one instance. The admin and the manager exist once the tests have created them. */
export class Access {
  url!: string;
  admin!: Api;
  manager!: Api;

  readonly api = (token: string | null = null): Api => Object.assign(new Api(this.url), { token });

  readonly login = (
    username: string,
    secret: string,
    more: Record<string, unknown> = {},
  ): Promise<Login> =>
    this.api().json<Login>("POST", "/request-token", { username, password: secret, ...more });

  readonly signedIn = async (username: string, secret = password): Promise<Api> => {
    const reply = await this.login(username, secret);
    if (reply.token === null) throw new Error(String(reply.message));
    return this.api(reply.token);
  };

  readonly makeUser = async (
    username: string,
    more: Record<string, unknown> = {},
  ): Promise<number> => {
    const { user, error } = await this.admin.json<{
      user: { id: number } | null;
      error: string | null;
    }>("POST", "/admin/users/new", { username, password, ...more });
    if (user === null) throw new Error(String(error));
    return user.id;
  };
}
