import { mcpResource, type InstanceConfig } from "@carrel/config";
import {
  CarrelError,
  authenticateAccessToken,
  mcpScopes,
  type In,
  type KeyScope,
  type Out,
} from "@carrel/contracts";
import { Handle } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Controller, Inject } from "@nestjs/common";
import { InstanceAccessRepository } from "../access/instance-access.repository.ts";
import { quotaOf } from "../user/user-fields.ts";
import { OpenIdAccounts } from "./openid-accounts.ts";
import { readPerson } from "./openid-person.ts";
import { OpenIdProvider } from "./openid-provider.ts";

/** Access tokens that the OpenID provider has issued for the MCP server. */
@Controller()
export class AccessTokenHandler {
  constructor(
    private readonly access: InstanceAccessRepository,
    private readonly provider: OpenIdProvider,
    private readonly accounts: OpenIdAccounts,
    @Inject(CONFIG) private readonly config: InstanceConfig,
  ) {}

  /** The account's current row decides, not the token's claims about the person. */
  @Handle(authenticateAccessToken)
  async authenticate({
    token,
    slug,
  }: In<typeof authenticateAccessToken>): Promise<Out<typeof authenticateAccessToken>> {
    const resource = mcpResource(this.config);
    if (resource === null || (await this.access.get()).mode !== "multi")
      throw new CarrelError("access.access-token-invalid");
    const claims = await this.provider.readAccessToken(token, [
      resource.address,
      // Tokens for one workspace are valid at its address only.
      ...(slug === null ? [] : [`${resource.address}/${slug}`]),
    ]);
    const user = await this.accounts.find(
      readPerson(claims, null, this.config.CARREL_OIDC_ROLE_CLAIM),
    );
    return {
      principal: {
        kind: "user",
        userId: user.id,
        role: user.role,
        scopes: readScopes(claims.scope),
        dailyMessageLimit: quotaOf(user),
      },
    };
  }
}

function readScopes(scope: unknown): KeyScope[] {
  const granted = typeof scope === "string" ? scope.split(" ") : [];
  return (Object.keys(mcpScopes) as (keyof typeof mcpScopes)[]).filter((name) =>
    granted.includes(mcpScopes[name]),
  );
}
