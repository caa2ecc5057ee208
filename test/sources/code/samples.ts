// A little source text in every language that has a grammar, and what it defines.

export interface Sample {
  file: string;
  text: string;
  /** `kind path.name line`, in the order of the text. */
  defines: string[];
  /** `kind name`, in the order of the text. */
  names: string[];
}

export const SAMPLES: readonly Sample[] = [
  {
    file: 'a.js',
    text: `import { b } from './b.js';
const LIMIT = 3;
export class Box extends Base {
  size() { return b(LIMIT); }
}
module.exports.load = () => new Box();
`,
    defines: ['constant LIMIT 2', 'class Box 3', 'method Box.size 4', 'function load 6'],
    names: ['import ./b.js', 'extends Base', 'call b', 'call Box'],
  },
  {
    file: 'a.ts',
    text: `export interface Shape { area(): number }
type Name = string;
enum Colour { Red }
abstract class Round implements Shape {
  private radius = 1;
  area = (): number => Math.max(this.radius, 0);
}
`,
    defines: [
      'interface Shape 1',
      'method Shape.area 1',
      'type Name 2',
      'enum Colour 3',
      'class Round 4',
      'field Round.radius 5',
      'method Round.area 6',
    ],
    names: ['implements Shape', 'call max'],
  },
  {
    file: 'a.tsx',
    text: `export const Button = () => <b onClick={() => press()}>x</b>;\n`,
    defines: ['function Button 1'],
    names: ['call press'],
  },
  {
    file: 'a.py',
    text: `import os
LIMIT = 1
class Box(Base):
    size = 2
    @property
    def full(self):
        return os.cpu_count()
async def load(): pass
`,
    defines: ['constant LIMIT 2', 'class Box 3', 'field Box.size 4', 'method Box.full 6', 'function load 8'],
    names: ['import os', 'extends Base', 'call cpu_count'],
  },
  {
    file: 'a.go',
    text: `package a
import "fmt"
type Box struct{ Size int }
type Shape interface { Area() int }
func (b *Box) Area() int { return b.Size }
func Load() { fmt.Println(New()) }
`,
    defines: [
      'struct Box 3',
      'interface Shape 4',
      'method Shape.Area 4',
      'method Box.Area 5',
      'function Load 6',
    ],
    names: ['import fmt', 'call Println', 'call New'],
  },
  {
    file: 'a.rs',
    text: `use std::fmt::Display;
pub struct Point<T> { x: T }
trait Shape { fn area(&self) -> u32; }
impl<T> Shape for Point<T> {
    fn area(&self) -> u32 { compute(1) }
}
macro_rules! twice { () => {} }
mod inner { const N: u8 = 1; }
`,
    defines: [
      'struct Point 2',
      'trait Shape 3',
      'method Shape.area 3',
      'method Point.area 5',
      'macro twice 7',
      'module inner 8',
      'constant inner.N 8',
    ],
    names: ['import std::fmt::Display', 'implements Shape', 'call compute'],
  },
  {
    file: 'A.java',
    text: `import java.util.List;
public final class A<T> extends B implements C {
  private static final int MAX = 3;
  public A() {}
  @Override public List<T> all() { return helper.list(); }
  enum Kind { ONE }
}
`,
    defines: [
      'class A 2',
      'field A.MAX 3',
      'method A.A 4',
      'method A.all 5',
      'enum A.Kind 6',
      'field A.Kind.ONE 6',
    ],
    names: ['import java.util.List', 'extends B', 'implements C', 'call list'],
  },
  {
    file: 'a.c',
    text: `#include "uv.h"
#define MAX 3
typedef struct box { int size; } box_t;
static int *find(box_t *b) {
  return look(b);
}
int later(void);
`,
    defines: ['constant MAX 2', 'type box_t 3', 'struct box_t.box 3', 'function find 4', 'prototype later 7'],
    names: ['import uv.h', 'call look'],
  },
  {
    file: 'a.cpp',
    text: `#include <vector>
namespace shop {
class Box : public Base {
 public:
  int size() const { return count(); }
};
}
int shop::Box::weight() { return 1; }
template <typename T> T twice(T x) { return x + x; }
`,
    defines: [
      'module shop 2',
      'class shop.Box 3',
      'method shop.Box.size 5',
      'method shop.Box.weight 8',
      'function twice 9',
    ],
    names: ['import vector', 'extends Base', 'call count'],
  },
  {
    file: 'A.cs',
    text: `using System;
namespace Shop {
  public class Box : Base {
    public int Size { get; set; }
    public Box() {}
    public static int Load(this string s) => Find(s);
  }
}
`,
    defines: [
      'module Shop 2',
      'class Shop.Box 3',
      'field Shop.Box.Size 4',
      'method Shop.Box.Box 5',
      'method Shop.Box.Load 6',
    ],
    names: ['import System', 'extends Base', 'call Find'],
  },
  {
    file: 'a.php',
    text: `<?php
namespace Shop;
use Other\\Thing;
class Box extends Base implements Shape {
  const MAX = 1;
  public function size(): int { return $this->count(); }
}
function load() { return new Box(); }
`,
    defines: ['module Shop 2', 'class Box 4', 'constant Box.MAX 5', 'method Box.size 6', 'function load 8'],
    names: ['import Other\\Thing', 'extends Base', 'implements Shape', 'call count', 'call Box'],
  },
  {
    file: 'a.rb',
    text: `require 'json'
module Shop
  LIMIT = 1
  class Box < Base
    attr_reader :size
    def full? = size > LIMIT
    def self.load; JSON.parse(text); end
  end
end
`,
    defines: [
      'module Shop 2',
      'constant Shop.LIMIT 3',
      'class Shop.Box 4',
      'method Shop.Box.size 5',
      'method Shop.Box.full? 6',
      'method Shop.Box.load 7',
    ],
    names: ['import json', 'extends Base', 'call parse'],
  },
  {
    file: 'A.kt',
    text: `import okio.Buffer
interface Shape { fun area(): Int }
class Box(val size: Int) : Shape {
  override fun area() = compute(size)
  companion object { const val MAX = 1 }
}
fun Box.twice() = size * 2
`,
    defines: [
      'interface Shape 2',
      'method Shape.area 2',
      'class Box 3',
      'field Box.size 3',
      'method Box.area 4',
      'field Box.MAX 5',
      'function twice 7',
    ],
    names: ['import okio.Buffer', 'implements Shape', 'call compute'],
  },
  {
    file: 'Step.kt',
    text: `/** Makes one from another. */
fun interface Step {
  fun take(from: Shape): Shape
  companion object : Named {
    fun of() = Step { it }
  }
  fun interface Factory { fun make(): Step }
}
class Steps : Base<Int>(1), Step.Factory, Comparable<Step> {
  val timer = object : Task("x") {
    override fun run() = Unit
  }
}
`,
    defines: [
      'interface Step 2',
      'method Step.take 3',
      'method Step.of 5',
      'interface Step.Factory 7',
      'method Step.Factory.make 7',
      'class Steps 9',
      'field Steps.timer 10',
      'function Steps.timer.run 11',
    ],
    names: ['call Step', 'extends Base', 'implements Step.Factory', 'implements Comparable', 'call Task'],
  },
  {
    file: 'a.swift',
    text: `import Foundation
protocol Shape { func area() -> Int }
struct Box: Shape {
  let size: Int
  init(size: Int) { self.size = size }
  func area() -> Int { compute(size) }
}
extension Box { func twice() -> Int { size * 2 } }
`,
    defines: [
      'interface Shape 2',
      'method Shape.area 2',
      'struct Box 3',
      'field Box.size 4',
      'method Box.init 5',
      'method Box.area 6',
      'method Box.twice 8',
    ],
    names: ['import Foundation', 'extends Shape', 'call compute'],
  },
  {
    file: 'a.scala',
    text: `package shop
import os.Path
trait Shape { def area: Int }
case class Box(size: Int) extends Shape {
  val unit = 1
  def area: Int = compute(size)
}
object Box
`,
    defines: [
      'trait Shape 3',
      'method Shape.area 3',
      'class Box 4',
      'field Box.unit 5',
      'method Box.area 6',
      'class Box 8',
    ],
    names: ['import os', 'extends Shape', 'call compute'],
  },
  {
    file: 'a.lua',
    text: `local json = require('json')
local M = {}
function M.load(path) return json.decode(path) end
local function helper() end
M.later = function() end
return M
`,
    defines: ['constant json 1', 'constant M 2', 'function load 3', 'function helper 4', 'function later 5'],
    names: ['import json', 'call decode'],
  },
  {
    file: 'a.ex',
    text: `defmodule Shop.Box do
  alias Shop.Base
  def size(box), do: count(box)
  defp hidden, do: 1
  defmacro twice(x) do
    x
  end
end
`,
    defines: [
      'module Shop.Box 1',
      'function Shop.Box.size 3',
      'function Shop.Box.hidden 4',
      'macro Shop.Box.twice 5',
    ],
    names: ['alias Shop.Base', 'call count'],
  },
  {
    file: 'A.hs',
    text: `module A where
import Data.Text
data Box = Box Int
class Shape a where
  area :: a -> Int
twice :: Int -> Int
twice x = plus x x
`,
    defines: ['struct Box 3', 'trait Shape 4', 'method Shape.area 5', 'function twice 6', 'function twice 7'],
    names: ['import Data.Text', 'call plus'],
  },
  {
    file: 'a.zig',
    text: `const std = @import("std");
pub const Box = struct {
    pub fn size(self: Box) usize {
        return compute(self);
    }
};
`,
    defines: ['constant std 1', 'struct Box 2', 'method Box.size 3'],
    names: ['import std', 'call compute'],
  },
  {
    file: 'a.sh',
    text: `source ./lib.sh
NAME=1
greet() {
  echo "$NAME"
}
`,
    defines: ['constant NAME 2', 'function greet 3'],
    names: ['import ./lib.sh', 'call echo'],
  },
  {
    file: 'a.dart',
    text: `import 'dart:io';
class Box extends Base {
  Box(this.size);
  final int size;
  int get full => size;
  void load() {}
}
enum Kind { one }
`,
    defines: ['class Box 2', 'method Box.Box 3', 'method Box.full 5', 'method Box.load 6', 'enum Kind 8'],
    names: ['import dart:io', 'extends Base'],
  },
];
