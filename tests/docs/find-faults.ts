import type { Mention } from './mentions.ts';
import { placeOf } from './mentions.ts';
import { findCommandFaults } from './commands.ts';
import { exceptions } from './exceptions.ts';
import { findNameFaults } from './names.ts';
import { findOperationFaults } from './operations.ts';
import { findPathFaults } from './paths.ts';
import type { FindFaults, Sources } from './sources.ts';

const checks: readonly FindFaults[] = [findPathFaults, findNameFaults, findCommandFaults, findOperationFaults];

const isException = ({ file, text }: Mention): boolean =>
  exceptions.some(({ files, texts }) => files.includes(file) && texts.some((each) => text.includes(each)));

/** Faults of all mentions, each with its file and line. */
export const findFaults = (mentions: readonly Mention[], sources: Sources): readonly string[] =>
  mentions
    .filter((mention) => !isException(mention))
    .flatMap((mention) =>
      checks.flatMap((check) => check(mention, sources).map((fault) => `${placeOf(mention)}: ${fault}`)),
    );
