import { Module } from "@nestjs/common";
import { MemberRepository } from "./member.repository.ts";

@Module({
  providers: [MemberRepository],
  exports: [MemberRepository],
})
export class MemberModule {}
