import { Module } from "@nestjs/common";
import { SearchHandler } from "./search.handler.ts";
import { SearchRepository } from "./search.repository.ts";

@Module({ controllers: [SearchHandler], providers: [SearchRepository] })
export class SearchModule {}
