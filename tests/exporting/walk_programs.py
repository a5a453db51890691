"""Programs in several languages that let an exported creature walk by a file of commands, and write what it did.

A command is seconds, a velocity along x and z, and a turning rate or NaN. After each, the program writes the rotations
of the joints, the place of the root, whether it is blocked, and the contacts of the feet, as float64.
"""

GROUNDS = {
    "plane": "0.0 * x",
    "hills": "0.1 * (x * x / (1.0 + x * x)) + 0.05 * z * z / (2.0 + z * z)",
    "mesh": "0.08 * ABS(U(x) - 0.5) + 0.06 * ABS(U(z) - 0.5) + 0.05 * ABS(U(x) - U(z))",  # facets
    "stairs": "(z < 1.0 ? 0.0 : (FLOOR((z - 1.0) / 0.3) + 1.0) * STEP)",
}

JS = """
import fs from "fs";
import * as walk from "./NAME.mjs";
const FLOOR = Math.floor, ABS = Math.abs, U = (x) => 0.7 * x - FLOOR(0.7 * x);
const [commands, target, beats, idle] = process.argv.slice(2);
const walker = new walk.TITLEWalker((x, z) => GROUND);
walker.begin(0, 0, 0, Number(beats), Number(idle));
const bytes = fs.readFileSync(commands);
const rows = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
const found = [];
for (let k = 0; k < rows.length; k += 4) {
  walker.step(rows[k], rows[k + 1], rows[k + 2], rows[k + 3]);
  walker.pose();
  found.push(...walker.rotations, ...walker.place, Number(walker.blocked), ...walker.contacts.map(Number));
}
fs.writeFileSync(target, Buffer.from(new Float64Array(found).buffer));
"""

C = """
#include <stdio.h>
#include <stdlib.h>
#include "NAME.h"
#define FLOOR floor
#define ABS fabs
#define U(x) (0.7 * (x) - floor(0.7 * (x)))
static double ground(double x, double z, void *user) { (void)user; (void)x; (void)z; return GROUND; }
static NAME_walker walker;
int main(int count, char **given) {
  double row[4], rest[4];
  int contacts[UPPER_FOOT_COUNT];
  FILE *source = fopen(given[1], "rb"), *target = fopen(given[2], "wb");
  (void)count;
  NAME_begin(&walker, ground, 0, 0, 0, 0, strtod(given[3], 0), strtod(given[4], 0), -1);
  while (fread(row, sizeof(double), 4, source) == 4) {
    NAME_step(&walker, row[0], row[1], row[2], row[3]);
    NAME_pose(&walker);
    NAME_contacts(&walker, contacts);
    rest[0] = walker.segment[0].middle_x;
    rest[1] = walker.segment[0].middle_y;
    rest[2] = walker.segment[0].middle_z;
    rest[3] = NAME_blocked(&walker);
    fwrite(walker.rotations, sizeof walker.rotations, 1, target);
    fwrite(rest, sizeof(double), 4, target);
    for (int k = 0; k < UPPER_FOOT_COUNT; k++) {
      double contact = contacts[k];
      fwrite(&contact, sizeof(double), 1, target);
    }
  }
  fclose(source);
  fclose(target);
  return 0;
}
"""

CPP = """
#include <cstdlib>
#include <fstream>
#include <vector>
#include "NAME.hpp"
#define FLOOR std::floor
#define ABS std::fabs
#define U(x) (0.7 * (x) - std::floor(0.7 * (x)))
int main(int, char **given) {
  std::ifstream source(given[1], std::ios::binary);
  std::ofstream target(given[2], std::ios::binary);
  NAME::Walker walker([](double x, double z) { (void)x; (void)z; return GROUND; });
  walker.begin(0, 0, 0, std::strtod(given[3], nullptr), std::strtod(given[4], nullptr));
  double row[4];
  while (source.read(reinterpret_cast<char *>(row), sizeof row)) {
    walker.step(row[0], row[1], row[2], row[3]);
    walker.pose();
    int contacts[NAME::UPPER_FOOT_COUNT];
    walker.contacts(contacts);
    const auto &state = walker.state();
    std::vector<double> found(&state.rotations[0][0], &state.rotations[0][0] + sizeof state.rotations / sizeof(double));
    const auto &middle = state.segment[0];
    const double rest[] = {middle.middle_x, middle.middle_y, middle.middle_z, walker.blocked() ? 1.0 : 0.0};
    for (double one : rest) found.push_back(one);
    for (int contact : contacts) found.push_back(contact);
    target.write(reinterpret_cast<const char *>(found.data()), found.size() * sizeof(double));
  }
}
"""

CSHARP = """
using System;
using System.Globalization;
using System.IO;
static class Program {
  static double FLOOR(double x) { return Math.Floor(x); }
  static double ABS(double x) { return Math.Abs(x); }
  static double U(double x) { return 0.7 * x - FLOOR(0.7 * x); }
  static void Main(string[] given) {
    var walker = new TITLEWalker((x, z) => GROUND);
    var plain = CultureInfo.InvariantCulture;
    walker.Begin(0, 0, 0, double.Parse(given[2], plain), double.Parse(given[3], plain));
    using (var source = new BinaryReader(File.OpenRead(given[0])))
    using (var target = new BinaryWriter(File.Create(given[1])))
      while (source.BaseStream.Position < source.BaseStream.Length) {
        walker.Step(source.ReadDouble(), source.ReadDouble(), source.ReadDouble(), source.ReadDouble());
        walker.Pose();
        foreach (var one in walker.Rotations) target.Write(one);
        foreach (var one in new[] { walker.X, walker.Y, walker.Z, walker.Blocked ? 1.0 : 0.0 }) target.Write(one);
        for (int k = 0; k < TITLEWalker.Feet.Length; k++) target.Write(walker.Contact(k) ? 1.0 : 0.0);
      }
  }
}
"""

RUST = """
mod NAME;
#[allow(non_snake_case)]
fn FLOOR(x: f64) -> f64 { x.floor() }
#[allow(non_snake_case)]
fn ABS(x: f64) -> f64 { x.abs() }
#[allow(non_snake_case)]
fn U(x: f64) -> f64 { 0.7 * x - FLOOR(0.7 * x) }
fn main() {
    let given: Vec<String> = std::env::args().collect();
    let _ = (FLOOR(0.0), ABS(0.0), U(0.0));
    let ground = |x: f64, z: f64| -> f64 { let _ = (x, z); GROUND };
    let (beats, idle) = (given[3].parse().unwrap(), given[4].parse().unwrap());
    let mut walker = NAME::Walker::new(ground, 0.0, 0.0, 0.0, beats, idle, -1);
    let mut found: Vec<f64> = vec![];
    for row in std::fs::read(&given[1]).unwrap().chunks(32) {
        let at = |k: usize| f64::from_le_bytes(row[8 * k..8 * k + 8].try_into().unwrap());
        walker.step(at(0), at(1), at(2), if at(3).is_nan() { None } else { Some(at(3)) });
        walker.pose();
        found.extend(walker.rotations.iter().flatten());
        found.extend(walker.place());
        found.push(if walker.blocked() { 1.0 } else { 0.0 });
        found.extend(walker.contacts().iter().map(|one| if *one { 1.0 } else { 0.0 }));
    }
    let bytes: Vec<u8> = found.iter().flat_map(|one| one.to_le_bytes()).collect();
    std::fs::write(&given[2], bytes).unwrap();
}
"""
