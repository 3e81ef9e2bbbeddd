export * from './collection.ts';
export * from './fakes/index.ts';
export * from './guard.ts';
export * from './instance.ts';
export * from './openid-provider.ts';
export * from './test-database.ts';
export * from './test-redis.ts';
export * from './waiting.ts';
