import { asBuilt } from './rules.ts';
import { scenarios } from './scenarios.ts';
import { search, searchVariant } from './search.ts';
import { wrongVariants } from './variants.ts';

// Prints how many worlds each scenario has, and the shortest way to the harm that each defect does.

for (const scenario of scenarios) {
  const { worlds, trace } = search(scenario, asBuilt);
  console.log(`${scenario.name}: ${worlds} worlds, ${trace === undefined ? 'all good' : 'BROKEN'}`);
  for (const sentence of trace ?? []) console.log(`  ${sentence}`);
}
for (const name of Object.keys(wrongVariants)) {
  console.log(`\n${name}:`);
  for (const sentence of searchVariant(name).trace ?? ['not found']) console.log(`  ${sentence}`);
}
