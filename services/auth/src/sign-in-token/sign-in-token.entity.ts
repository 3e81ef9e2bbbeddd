import { Column, Entity, PrimaryColumn } from "typeorm";

/**
 * Signs a user in once: issued by the developer API (simple SSO, 6 minutes) or after an OpenID
 * sign-in (1 minute).
 */
@Entity("sign_in_token")
export class SignInToken {
  @PrimaryColumn("text") hash!: string;
  @Column("integer") userId!: number;
  @Column("text") method!: "sso" | "openid";
  @Column("timestamptz") expiresAt!: Date;
}
