// What may be changed in a file: one operator, condition, constant or call at a time.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { random } from '../../bench/lib/random.ts';

export interface Place {
  file: string;
  line: number;
  start: number;
  end: number;
  /** What stands there instead. */
  text: string;
}

const OPERATORS: Partial<Record<ts.SyntaxKind, string>> = {
  [ts.SyntaxKind.LessThanToken]: '<=',
  [ts.SyntaxKind.LessThanEqualsToken]: '<',
  [ts.SyntaxKind.GreaterThanToken]: '>=',
  [ts.SyntaxKind.GreaterThanEqualsToken]: '>',
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: '!==',
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: '===',
  [ts.SyntaxKind.AmpersandAmpersandToken]: '||',
  [ts.SyntaxKind.BarBarToken]: '&&',
  [ts.SyntaxKind.PlusToken]: '-',
  [ts.SyntaxKind.MinusToken]: '+',
  [ts.SyntaxKind.AsteriskToken]: '/',
  [ts.SyntaxKind.SlashToken]: '*',
};

/** Every change that could be made in a file of the folder. */
export function placesIn(root: string, file: string): Place[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(root, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const places: Place[] = [];
  const add = (node: ts.Node, text: string): void => {
    const start = node.getStart(source);
    const { line } = source.getLineAndCharacterOfPosition(start);
    places.push({ file, line: line + 1, start, end: node.getEnd(), text });
  };
  const look = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
    if (ts.isBinaryExpression(node)) {
      const other = OPERATORS[node.operatorToken.kind];
      const joins = [node.left, node.right].some(
        (side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side),
      );
      if (other && !(joins && other === '-')) add(node.operatorToken, other);
    }
    if (ts.isIfStatement(node)) add(node.expression, 'false');
    if (ts.isConditionalExpression(node)) add(node.condition, 'true');
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
      add(node, `(${node.operand.getText(source)})`);
    if (ts.isNumericLiteral(node)) add(node, otherNumber(node));
    if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, 'false');
    if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, 'true');
    // A call whose answer nobody looks at is made for its effect: it is left out.
    if (ts.isExpressionStatement(node)) {
      const inner = ts.isAwaitExpression(node.expression) ? node.expression.expression : node.expression;
      if (ts.isCallExpression(inner)) add(node, ';');
    }
    ts.forEachChild(node, look);
  };
  look(source);
  return places;
}

export function draw(all: readonly Place[], count: number, seed: number): Place[] {
  const next = random(seed);
  const left = [...all];
  const drawn: Place[] = [];
  while (drawn.length < count && left.length > 0)
    drawn.push(...left.splice(Math.floor(next() * left.length), 1));
  return drawn;
}

/** A small number is one more. A large one is a limit or a size: whether it is 500 or 501 nobody can tell, but without it they can. */
function otherNumber(node: ts.NumericLiteral): string {
  return Number(node.text) < 10 ? `(${node.text} + 1)` : `(${node.text} * 1000)`;
}
